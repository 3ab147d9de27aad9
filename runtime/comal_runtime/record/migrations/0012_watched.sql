-- The newest questions are looked at twice a second by whoever watches them.
CREATE INDEX questions_created ON questions (created_at);

ALTER TABLE questions ADD COLUMN preview TEXT;
ALTER TABLE questions ADD COLUMN digest TEXT;
ALTER TABLE questions ADD COLUMN supersedes TEXT;
ALTER TABLE questions ADD COLUMN superseded_by TEXT;
ALTER TABLE questions ADD COLUMN edited_by TEXT;
ALTER TABLE questions ADD COLUMN repeats TEXT;
ALTER TABLE questions ADD COLUMN remind_at DOUBLE PRECISION;
ALTER TABLE questions ADD COLUMN escalate_at DOUBLE PRECISION;
ALTER TABLE questions ADD COLUMN escalated_at DOUBLE PRECISION;
CREATE INDEX questions_remind ON questions (remind_at)
  WHERE state = 'open' AND remind_at IS NOT NULL;
CREATE INDEX questions_escalate ON questions (escalate_at)
  WHERE state = 'open' AND escalate_at IS NOT NULL;

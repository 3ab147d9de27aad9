CREATE INDEX questions_asker ON questions (channel, COALESCE(principal, ''))
  WHERE state = 'open';

-- goes_on: what the act started may still run in its process, as far as the record was told.
-- ask_at: when the tool's service is asked next whether an unknown act was done; null for never.
ALTER TABLE acts ADD COLUMN goes_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE acts ADD COLUMN ask_at DOUBLE PRECISION;
ALTER TABLE acts ADD COLUMN times_asked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE acts ADD COLUMN settled_by TEXT;
ALTER TABLE acts ADD COLUMN settled_at DOUBLE PRECISION;
ALTER TABLE acts ADD COLUMN left_by TEXT;
ALTER TABLE acts ADD COLUMN left_at DOUBLE PRECISION;
CREATE INDEX acts_to_ask ON acts (ask_at) WHERE state = 'unknown' AND ask_at IS NOT NULL;
CREATE INDEX acts_created ON acts (created_at);
CREATE INDEX questions_repeats ON questions (repeats) WHERE repeats IS NOT NULL;

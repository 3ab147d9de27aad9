-- When each rate limit's budget is full again: by the boot clock that boot_id names, and by the
-- wall clock for every other.
CREATE TABLE limits (
  key TEXT PRIMARY KEY, boot_id TEXT NOT NULL,
  full_boot DOUBLE PRECISION NOT NULL, full_at DOUBLE PRECISION NOT NULL
);

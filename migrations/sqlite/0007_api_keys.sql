-- The value that a key had before its last renewal, and until when that works. No two values of any keys are the same.
ALTER TABLE api_keys ADD COLUMN previous_digest BLOB;
ALTER TABLE api_keys ADD COLUMN previous_works_until INTEGER;
CREATE UNIQUE INDEX api_keys_by_previous_digest ON api_keys (previous_digest);

-- When the key was last used, as far as that has been written down.
ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;

-- The end of which the owner has been told, so that nobody is told twice.
ALTER TABLE api_keys ADD COLUMN expiry_told INTEGER;

-- The rate limit of the key's own, if it has one: all three or none.
ALTER TABLE api_keys ADD COLUMN quota_limit INTEGER;
ALTER TABLE api_keys ADD COLUMN quota_window_seconds INTEGER;
ALTER TABLE api_keys ADD COLUMN quota_burst INTEGER;

-- The names of the fields that the key does without, separated by blanks.
ALTER TABLE api_keys ADD COLUMN hidden_fields TEXT NOT NULL DEFAULT '';

-- What somebody owns, in the order in which it was created.
CREATE INDEX api_keys_by_owner ON api_keys (owner, created_at, id);

-- The values that a key had before its renewals, in the order in which they were replaced, and until when each works. No two values of any
-- keys are the same, nor is one of these the current value of a key. The hint is missing where a value was replaced before hints were kept.
CREATE TABLE api_key_previous_values (
    key_id TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    digest BLOB NOT NULL UNIQUE,
    hint TEXT,
    works_until INTEGER NOT NULL,
    PRIMARY KEY (key_id, position)
) STRICT, WITHOUT ROWID;

INSERT INTO api_key_previous_values (key_id, position, digest, works_until)
    SELECT id, 0, previous_digest, previous_works_until FROM api_keys WHERE previous_digest IS NOT NULL;

DROP INDEX api_keys_by_previous_digest;
ALTER TABLE api_keys DROP COLUMN previous_digest;
ALTER TABLE api_keys DROP COLUMN previous_works_until;

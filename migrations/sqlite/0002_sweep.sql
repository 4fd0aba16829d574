-- Who the user is now is asked at each exchange and refresh, so a grant remembers only whose it is.
ALTER TABLE grants DROP COLUMN subject_email;
ALTER TABLE grants DROP COLUMN subject_role;

-- Grants that have ended go when new ones come.
CREATE INDEX grants_by_end ON grants (coalesce(revoked_at, idle_expires_at, code_expires_at));

-- API keys that have ended go when new ones come.
CREATE INDEX api_keys_by_end ON api_keys (coalesce(revoked_at, expires_at));

-- One row for whatever is limited, known by a digest of its name. Moments are microseconds since 1970-01-01T00:00:00Z.
CREATE TABLE rate_limits (
    digest BLOB PRIMARY KEY,
    -- The theoretical arrival time of GCRA: once it is past, the row is as good as none.
    arrival_micros INTEGER NOT NULL,
    created_micros INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What has rested goes when new ones come.
CREATE INDEX rate_limits_by_arrival ON rate_limits (arrival_micros);

-- People's sessions in the console, each known by the digest of its token.
CREATE TABLE user_sessions (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    subject_id TEXT NOT NULL,
    browser TEXT,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

-- Sessions that are over go when new ones come.
CREATE INDEX user_sessions_by_expiry ON user_sessions (expires_at);
-- The sessions that somebody is shown or ends.
CREATE INDEX user_sessions_by_subject ON user_sessions (subject_id);

-- The grants of a client, to be counted or, when it goes, to be revoked.
CREATE INDEX grants_by_client ON grants (client_id);

-- How many calls each API key made on each day, where the school is.
CREATE TABLE api_key_uses (
    key_id TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    day TEXT NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (key_id, day)
) STRICT, WITHOUT ROWID;

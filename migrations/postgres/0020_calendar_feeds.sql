-- The addresses under which calendar programs subscribe to calendars: digests of their tokens. A feed works while its key does, and goes with it.
CREATE TABLE calendar_feeds (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    key_id TEXT COLLATE "C" NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    digest BYTEA NOT NULL UNIQUE,
    hint TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX calendar_feeds_by_key ON calendar_feeds (key_id, created_at, id);
CREATE INDEX calendar_feeds_by_expiry ON calendar_feeds (expires_at);

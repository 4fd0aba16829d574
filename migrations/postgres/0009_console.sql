-- People's sessions in the console, each known by the digest of its token.
CREATE TABLE user_sessions (
    id TEXT COLLATE "C" PRIMARY KEY,
    digest BYTEA NOT NULL UNIQUE,
    subject_id TEXT COLLATE "C" NOT NULL,
    browser TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

-- Sessions that are over go when new ones come.
CREATE INDEX user_sessions_by_expiry ON user_sessions (expires_at);
-- The sessions that somebody is shown or ends.
CREATE INDEX user_sessions_by_subject ON user_sessions (subject_id);

-- The grants of a client, to be counted or, when it goes, to be revoked.
CREATE INDEX grants_by_client ON grants (client_id);

-- How many calls each API key made on each day, where the school is.
CREATE TABLE api_key_uses (
    key_id TEXT COLLATE "C" NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    day TEXT COLLATE "C" NOT NULL,
    calls BIGINT NOT NULL,
    PRIMARY KEY (key_id, day)
);

-- What happened, with what people look for it by. The line is all that is told of it, as JSON.
CREATE TABLE audit_records (
    id BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    subject_id TEXT COLLATE "C",
    client_id TEXT COLLATE "C",
    application_id TEXT COLLATE "C",
    grant_id TEXT COLLATE "C",
    api_key_id TEXT COLLATE "C",
    line TEXT COLLATE "C" NOT NULL
);

-- Old records go when somebody says so.
CREATE INDEX audit_records_by_moment ON audit_records (at);
-- What is looked for, the newest first.
CREATE INDEX audit_records_by_request ON audit_records (request_id, id);
CREATE INDEX audit_records_by_kind ON audit_records (kind, id);
CREATE INDEX audit_records_by_subject ON audit_records (subject_id, id) WHERE subject_id IS NOT NULL;
CREATE INDEX audit_records_by_client ON audit_records (client_id, id) WHERE client_id IS NOT NULL;
CREATE INDEX audit_records_by_application ON audit_records (application_id, id) WHERE application_id IS NOT NULL;
CREATE INDEX audit_records_by_grant ON audit_records (grant_id, id) WHERE grant_id IS NOT NULL;
CREATE INDEX audit_records_by_api_key ON audit_records (api_key_id, id) WHERE api_key_id IS NOT NULL;

-- One row: the highest number that a record ever had. Who appends changes it first, so that numbers are seen in their order.
CREATE TABLE audit_head (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    last BIGINT NOT NULL
);

INSERT INTO audit_head (id, last) VALUES (1, 0);

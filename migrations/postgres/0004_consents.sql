-- What users let clients have and need not be asked for again.
CREATE TABLE consents (
    subject_id TEXT COLLATE "C" NOT NULL,
    client_id TEXT COLLATE "C" NOT NULL,
    scopes TEXT COLLATE "C" NOT NULL,
    granted_at BIGINT NOT NULL,
    PRIMARY KEY (subject_id, client_id)
);

-- A client that goes takes its consents along.
CREATE INDEX consents_by_client ON consents (client_id);

-- The grants that a user is shown or takes back.
CREATE INDEX grants_by_subject ON grants (subject_id);

-- Whoever signs out everywhere ends what they had begun.
CREATE INDEX sessions_by_subject ON sessions (subject_id) WHERE subject_id IS NOT NULL;

-- Whether the client wants the user asked also for what was allowed before: 0 or 1.
ALTER TABLE sessions ADD COLUMN ask_again BIGINT NOT NULL DEFAULT 0;

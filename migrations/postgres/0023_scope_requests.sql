-- What owners of clients ask owners of applications for. A request whose client is in scope_approvals is approved.
CREATE TABLE scope_requests (
    scope_id TEXT COLLATE "C" NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    client_id TEXT COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    asked_by TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    asked_at BIGINT NOT NULL,
    -- Both, if it is refused.
    refusal TEXT COLLATE "C",
    refused_at BIGINT,
    PRIMARY KEY (scope_id, client_id)
);

-- A client's requests, and those that go with it.
CREATE INDEX scope_requests_by_client ON scope_requests (client_id);

-- The user to whom an event was done. Older events have none.
ALTER TABLE audit_records ADD COLUMN target_id TEXT COLLATE "C";
CREATE INDEX audit_records_by_target ON audit_records (target_id, id) WHERE target_id IS NOT NULL;

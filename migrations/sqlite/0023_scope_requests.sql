-- What owners of clients ask owners of applications for. A request whose client is in scope_approvals is approved.
CREATE TABLE scope_requests (
    scope_id TEXT NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    asked_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    -- Both, if it is refused.
    refusal TEXT,
    refused_at INTEGER,
    PRIMARY KEY (scope_id, client_id)
) STRICT, WITHOUT ROWID;

-- A client's requests, and those that go with it.
CREATE INDEX scope_requests_by_client ON scope_requests (client_id);

-- The user to whom an event was done. Older events have none.
ALTER TABLE audit_records ADD COLUMN target_id TEXT;
CREATE INDEX audit_records_by_target ON audit_records (target_id, id) WHERE target_id IS NOT NULL;

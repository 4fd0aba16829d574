-- One of the service's own clients, which alone may ask for service:manage.
ALTER TABLE clients ADD COLUMN first_party INTEGER NOT NULL DEFAULT 0;

-- Whether the client may get tokens for itself, without a user.
ALTER TABLE clients ADD COLUMN client_credentials_allowed INTEGER NOT NULL DEFAULT 0;

-- Whether a client of somebody else may list the scope only once its owner has approved.
ALTER TABLE scopes ADD COLUMN approval_required INTEGER NOT NULL DEFAULT 0;

CREATE TABLE scope_approvals (
    scope_id TEXT NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    approved_at INTEGER NOT NULL,
    PRIMARY KEY (scope_id, client_id)
) STRICT, WITHOUT ROWID;

-- A client that goes is taken from every list of approvals.
CREATE INDEX scope_approvals_by_client ON scope_approvals (client_id);

-- What somebody owns, in the order in which it was registered.
CREATE INDEX applications_by_owner ON applications (owner, created_at, id);
CREATE INDEX clients_by_owner ON clients (owner, created_at, id);

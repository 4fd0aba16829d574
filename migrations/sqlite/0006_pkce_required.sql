-- Whether the client must use PKCE although it may have a secret.
ALTER TABLE clients ADD COLUMN pkce_required INTEGER NOT NULL DEFAULT 0;

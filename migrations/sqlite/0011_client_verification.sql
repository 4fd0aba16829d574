-- Whether redirects to the client omit "iss".
ALTER TABLE clients ADD COLUMN iss_omitted INTEGER NOT NULL DEFAULT 0;

-- Whether the client counts as verified, as those do that are older than this. Only with the other two has an administrator reviewed it.
ALTER TABLE clients ADD COLUMN verified INTEGER NOT NULL DEFAULT 0;
UPDATE clients SET verified = 1;
ALTER TABLE clients ADD COLUMN verified_by TEXT;
ALTER TABLE clients ADD COLUMN verified_at INTEGER;

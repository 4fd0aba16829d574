-- When a client last authenticated with the secret; missing for one that was not used since.
ALTER TABLE client_secrets ADD COLUMN last_used_at INTEGER;

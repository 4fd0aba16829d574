-- When a key was taken out of use before its time: at once, and for good.
ALTER TABLE signing_keys ADD COLUMN revoked_at BIGINT;

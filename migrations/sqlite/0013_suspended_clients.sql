-- Since when a client is suspended, because its owner has left.
ALTER TABLE clients ADD COLUMN suspended_at INTEGER;

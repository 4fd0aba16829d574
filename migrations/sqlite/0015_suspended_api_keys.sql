-- Since when an API key is suspended, because a backup was restored. Older builds do not know it: a suspended key works there.
ALTER TABLE api_keys ADD COLUMN suspended_at INTEGER;

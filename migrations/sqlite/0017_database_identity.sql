-- 'backup' in the row of the newest version of a backup, until it is restored.
ALTER TABLE schema_migrations ADD COLUMN database TEXT;

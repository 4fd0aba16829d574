-- The database that the row of the newest version was written in. A dump keeps it, and the database that the dump is restored into differs from it.
ALTER TABLE lyceum_migrations ADD COLUMN database TEXT;

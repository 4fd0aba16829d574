-- The oldest version whose builds may run on this one, in the row of the newest version. Builds before version 16 do not read it, and open no newer version.
ALTER TABLE schema_migrations ADD COLUMN oldest_beside INTEGER;

-- Which school it is: a random number. Versions of a backup that took this one's place, or of another database, are not taken for this one's.
ALTER TABLE directory_version ADD COLUMN lineage INTEGER NOT NULL DEFAULT 0;
UPDATE directory_version SET lineage = random();

-- In which version each student, club and project that ever was last changed. One that is gone has no row but here.
CREATE TABLE changes (
    kind TEXT NOT NULL,
    record_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;

-- What changed after a version, in order.
CREATE UNIQUE INDEX changes_by_version ON changes (kind, version, record_id);

INSERT INTO changes (kind, record_id, version) SELECT 'student', students.id, version FROM students, directory_version;
INSERT INTO changes (kind, record_id, version) SELECT 'club', clubs.id, version FROM clubs, directory_version;
INSERT INTO changes (kind, record_id, version) SELECT 'project', projects.id, version FROM projects, directory_version;

-- A random number for each version of the directory. After a backup is restored, the next versions repeat numbers but not marks.
CREATE TABLE directory_marks (
    number INTEGER PRIMARY KEY,
    mark INTEGER NOT NULL
) STRICT;

INSERT INTO directory_marks (number, mark)
SELECT number, random() FROM (SELECT 0 AS number UNION SELECT version FROM directory_version UNION SELECT version FROM changes) AS known;

-- In which version each meal, event and lesson that ever was last changed, as `changes` has it for records whose ids are numbers.
CREATE TABLE calendar_changes (
    kind TEXT NOT NULL,
    record_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;

-- What changed after a version, in order.
CREATE UNIQUE INDEX calendar_changes_by_version ON calendar_changes (kind, version, record_id);

INSERT INTO calendar_changes (kind, record_id, version) SELECT 'meal', meals.id, version FROM meals, directory_version;
INSERT INTO calendar_changes (kind, record_id, version) SELECT 'event', events.id, version FROM events, directory_version;
INSERT INTO calendar_changes (kind, record_id, version) SELECT 'lesson', lessons.id, version FROM lessons, directory_version;

-- Lists are answered from memory, so nothing is looked for by these any more. What serves the references between records stays.
DROP INDEX students_by_role;
DROP INDEX meals_by_date;
DROP INDEX events_by_date;
DROP INDEX lessons_by_date;

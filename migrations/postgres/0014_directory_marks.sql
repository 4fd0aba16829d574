-- A random number for each version of the directory. After a backup is restored, the next versions repeat numbers but not marks.
CREATE TABLE directory_marks (
    number BIGINT PRIMARY KEY,
    mark BIGINT NOT NULL
);

INSERT INTO directory_marks (number, mark)
SELECT number, (random() * 9e18)::bigint FROM (SELECT 0 AS number UNION SELECT version FROM directory_version UNION SELECT version FROM changes) AS known;

-- In which version each meal, event and lesson that ever was last changed, as `changes` has it for records whose ids are numbers.
CREATE TABLE calendar_changes (
    kind TEXT COLLATE "C" NOT NULL,
    record_id TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (kind, record_id)
);

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

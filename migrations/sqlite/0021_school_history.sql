-- Enrollments that have ended, each by the version of the directory that ended it.
CREATE TABLE school_history (
    student_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    year INTEGER NOT NULL,
    name TEXT NOT NULL,
    grade INTEGER NOT NULL,
    class_num INTEGER NOT NULL,
    number INTEGER NOT NULL,
    major TEXT NOT NULL,
    clubs TEXT NOT NULL,
    ended_by TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (student_id, version)
) STRICT, WITHOUT ROWID;

-- The classes of a year.
CREATE INDEX school_history_by_class ON school_history (year, grade, class_num, number);

-- Turns of the school year, each by the version of the directory that it made.
CREATE TABLE year_turns (
    version INTEGER PRIMARY KEY,
    version_before INTEGER NOT NULL,
    year INTEGER NOT NULL,
    at INTEGER NOT NULL,
    by_subject TEXT NOT NULL,
    graduated INTEGER NOT NULL,
    moved INTEGER NOT NULL,
    added INTEGER NOT NULL,
    undone_version INTEGER,
    undone_at INTEGER,
    undone_by TEXT
) STRICT;

-- The enrollment of each student before (0) and after (1) a turn, until the time to undo it is over.
CREATE TABLE turned_students (
    turn INTEGER NOT NULL REFERENCES year_turns (version) ON DELETE CASCADE,
    student_id INTEGER NOT NULL,
    side INTEGER NOT NULL,
    role TEXT NOT NULL,
    grade INTEGER,
    class_num INTEGER,
    number INTEGER,
    major TEXT,
    dormitory_room INTEGER,
    major_club_id INTEGER,
    autonomous_club_id INTEGER,
    PRIMARY KEY (turn, student_id, side)
) STRICT, WITHOUT ROWID;

CREATE INDEX turned_students_by_student ON turned_students (student_id);

-- The leaders that clubs have lost by a turn.
CREATE TABLE turned_clubs (
    turn INTEGER NOT NULL REFERENCES year_turns (version) ON DELETE CASCADE,
    club_id INTEGER NOT NULL,
    leader_id INTEGER NOT NULL,
    PRIMARY KEY (turn, club_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX turned_clubs_by_leader ON turned_clubs (leader_id);

-- Records that one person's data were erased. They outlive the data.
CREATE TABLE erasures (
    student_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    by_subject TEXT NOT NULL,
    entries INTEGER NOT NULL,
    PRIMARY KEY (student_id, at)
) STRICT, WITHOUT ROWID;

CREATE INDEX erasures_by_time ON erasures (at, student_id);

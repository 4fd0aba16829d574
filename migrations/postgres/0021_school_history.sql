-- Enrollments that have ended, each by the version of the directory that ended it.
CREATE TABLE school_history (
    student_id BIGINT NOT NULL,
    version BIGINT NOT NULL,
    year BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    grade BIGINT NOT NULL,
    class_num BIGINT NOT NULL,
    number BIGINT NOT NULL,
    major TEXT COLLATE "C" NOT NULL,
    clubs TEXT COLLATE "C" NOT NULL,
    ended_by TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (student_id, version)
);

-- The classes of a year.
CREATE INDEX school_history_by_class ON school_history (year, grade, class_num, number);

-- Turns of the school year, each by the version of the directory that it made.
CREATE TABLE year_turns (
    version BIGINT PRIMARY KEY,
    version_before BIGINT NOT NULL,
    year BIGINT NOT NULL,
    at BIGINT NOT NULL,
    by_subject TEXT COLLATE "C" NOT NULL,
    graduated BIGINT NOT NULL,
    moved BIGINT NOT NULL,
    added BIGINT NOT NULL,
    undone_version BIGINT,
    undone_at BIGINT,
    undone_by TEXT COLLATE "C"
);

-- The enrollment of each student before (0) and after (1) a turn, until the time to undo it is over.
CREATE TABLE turned_students (
    turn BIGINT NOT NULL REFERENCES year_turns (version) ON DELETE CASCADE,
    student_id BIGINT NOT NULL,
    side BIGINT NOT NULL,
    role TEXT COLLATE "C" NOT NULL,
    grade BIGINT,
    class_num BIGINT,
    number BIGINT,
    major TEXT COLLATE "C",
    dormitory_room BIGINT,
    major_club_id BIGINT,
    autonomous_club_id BIGINT,
    PRIMARY KEY (turn, student_id, side)
);

CREATE INDEX turned_students_by_student ON turned_students (student_id);

-- The leaders that clubs have lost by a turn.
CREATE TABLE turned_clubs (
    turn BIGINT NOT NULL REFERENCES year_turns (version) ON DELETE CASCADE,
    club_id BIGINT NOT NULL,
    leader_id BIGINT NOT NULL,
    PRIMARY KEY (turn, club_id)
);

CREATE INDEX turned_clubs_by_leader ON turned_clubs (leader_id);

-- Records that one person's data were erased. They outlive the data.
CREATE TABLE erasures (
    student_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    by_subject TEXT COLLATE "C" NOT NULL,
    entries BIGINT NOT NULL,
    PRIMARY KEY (student_id, at)
);

CREATE INDEX erasures_by_time ON erasures (at, student_id);

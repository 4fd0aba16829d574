-- Moments are seconds since 1970-01-01T00:00:00Z, days yyyy-MM-dd, digests 32 bytes, UUIDs lower-case text, booleans 0 or 1, and lists
-- JSON arrays. Columns named *_folded hold the text as filters compare it. Text sorts by code point, which is what "C" means.

CREATE TABLE clubs (
    id BIGINT PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    name_folded TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    founded_year BIGINT NOT NULL,
    abolished_year BIGINT,
    leader_id BIGINT
);

-- A student who leaves a club stops leading it.
CREATE INDEX clubs_by_leader ON clubs (leader_id);

CREATE TABLE students (
    id BIGINT PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    name_folded TEXT COLLATE "C" NOT NULL,
    sex TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    email_folded TEXT COLLATE "C" NOT NULL,
    specialty TEXT COLLATE "C",
    specialty_folded TEXT COLLATE "C",
    github_id TEXT COLLATE "C",
    github_id_folded TEXT COLLATE "C",
    role TEXT COLLATE "C" NOT NULL,
    grade BIGINT,
    class_num BIGINT,
    number BIGINT,
    student_number BIGINT,
    major TEXT COLLATE "C",
    dormitory_room BIGINT,
    major_club_id BIGINT REFERENCES clubs (id) ON DELETE SET NULL,
    autonomous_club_id BIGINT REFERENCES clubs (id) ON DELETE SET NULL,
    CHECK (
        CASE WHEN role IN ('GRADUATE', 'WITHDRAWN') THEN
            num_nonnulls(grade, class_num, number, student_number, major, dormitory_room, major_club_id, autonomous_club_id) = 0
        ELSE
            grade IS NOT NULL AND class_num IS NOT NULL AND number IS NOT NULL AND student_number IS NOT NULL AND major IS NOT NULL
        END
    )
);

-- Clubs and students refer to each other.
ALTER TABLE clubs ADD CONSTRAINT clubs_leader_id_fkey FOREIGN KEY (leader_id) REFERENCES students (id) ON DELETE SET NULL;

-- Pages are of enrolled students unless others are asked for, in order of id.
CREATE INDEX students_by_role ON students (role, id);
-- The members of the clubs on a page, and of a club that changes or goes.
CREATE INDEX students_by_major_club ON students (major_club_id);
CREATE INDEX students_by_autonomous_club ON students (autonomous_club_id);

CREATE TABLE projects (
    id BIGINT PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    name_folded TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    start_year BIGINT NOT NULL,
    end_year BIGINT,
    club_id BIGINT REFERENCES clubs (id) ON DELETE SET NULL,
    repositories TEXT COLLATE "C" NOT NULL,
    tech_stacks TEXT COLLATE "C" NOT NULL
);

-- The projects of a club, to be listed or, when the club goes, to be left without it.
CREATE INDEX projects_by_club ON projects (club_id, id);

CREATE TABLE project_participants (
    project_id BIGINT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    student_id BIGINT NOT NULL REFERENCES students (id) ON DELETE CASCADE,
    PRIMARY KEY (project_id, student_id)
);

-- A removed student leaves their projects.
CREATE INDEX project_participants_by_student ON project_participants (student_id);

CREATE TABLE meals (
    id TEXT COLLATE "C" PRIMARY KEY,
    school_code TEXT COLLATE "C" NOT NULL,
    school_name TEXT COLLATE "C" NOT NULL,
    office_code TEXT COLLATE "C" NOT NULL,
    office_name TEXT COLLATE "C" NOT NULL,
    date TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    -- Which meal of the day, from 1: the order of the kinds is not that of their names.
    position BIGINT NOT NULL,
    dishes TEXT COLLATE "C" NOT NULL,
    calories TEXT COLLATE "C",
    origin TEXT COLLATE "C",
    nutrition TEXT COLLATE "C",
    serve_count BIGINT
);

CREATE INDEX meals_by_date ON meals (date, position, id);

CREATE TABLE events (
    id TEXT COLLATE "C" PRIMARY KEY,
    school_code TEXT COLLATE "C" NOT NULL,
    school_name TEXT COLLATE "C" NOT NULL,
    office_code TEXT COLLATE "C" NOT NULL,
    office_name TEXT COLLATE "C" NOT NULL,
    date TEXT COLLATE "C" NOT NULL,
    academic_year TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C",
    day_category TEXT COLLATE "C",
    course_type TEXT COLLATE "C",
    day_night TEXT COLLATE "C",
    target_grades TEXT COLLATE "C" NOT NULL
);

CREATE INDEX events_by_date ON events (date, name, id);

CREATE TABLE lessons (
    id TEXT COLLATE "C" PRIMARY KEY,
    school_code TEXT COLLATE "C" NOT NULL,
    school_name TEXT COLLATE "C" NOT NULL,
    office_code TEXT COLLATE "C" NOT NULL,
    office_name TEXT COLLATE "C" NOT NULL,
    date TEXT COLLATE "C" NOT NULL,
    academic_year TEXT COLLATE "C" NOT NULL,
    semester TEXT COLLATE "C",
    grade BIGINT NOT NULL,
    class_num BIGINT NOT NULL,
    period BIGINT NOT NULL,
    subject TEXT COLLATE "C",
    department TEXT COLLATE "C",
    classroom TEXT COLLATE "C"
);

CREATE INDEX lessons_by_date ON lessons (date, grade, class_num, period, id);

-- One row: which state the tables above are in.
CREATE TABLE directory_version (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL
);

INSERT INTO directory_version (id, version) VALUES (1, 0);

CREATE TABLE accounts (
    id TEXT COLLATE "C" PRIMARY KEY,
    email TEXT COLLATE "C" NOT NULL,
    email_folded TEXT COLLATE "C" NOT NULL UNIQUE,
    password_hash TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE applications (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE scopes (
    id TEXT COLLATE "C" PRIMARY KEY,
    application_id TEXT COLLATE "C" NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    name TEXT COLLATE "C" NOT NULL,
    description TEXT COLLATE "C" NOT NULL,
    UNIQUE (application_id, name)
);

CREATE TABLE clients (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C" NOT NULL,
    policy TEXT COLLATE "C" NOT NULL,
    redirect_uris TEXT COLLATE "C" NOT NULL,
    plain_pkce_allowed BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE client_scopes (
    client_id TEXT COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    scope_id TEXT COLLATE "C" NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (client_id, position)
);

-- A scope that goes is taken from every client.
CREATE INDEX client_scopes_by_scope ON client_scopes (scope_id);

CREATE TABLE client_secrets (
    client_id TEXT COLLATE "C" NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (client_id, position)
);

CREATE TABLE api_keys (
    id TEXT COLLATE "C" PRIMARY KEY,
    digest BYTEA NOT NULL UNIQUE,
    hint TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C",
    description TEXT COLLATE "C" NOT NULL,
    scopes TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT
);

-- Sessions, grants and keys name clients and people without references: a host may keep those elsewhere.
CREATE TABLE sessions (
    digest BYTEA PRIMARY KEY,
    client_id TEXT COLLATE "C" NOT NULL,
    redirect_uri TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C",
    scopes TEXT COLLATE "C" NOT NULL,
    challenge_method TEXT COLLATE "C",
    challenge TEXT COLLATE "C",
    subject_id TEXT COLLATE "C",
    subject_email TEXT COLLATE "C",
    subject_role TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

-- Expired sessions go when new ones come.
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- One row from the approval on: first it is known by its code, then by its id and the generation of its refresh token.
CREATE TABLE grants (
    id TEXT COLLATE "C" PRIMARY KEY,
    code_digest BYTEA NOT NULL UNIQUE,
    client_id TEXT COLLATE "C" NOT NULL,
    redirect_uri TEXT COLLATE "C" NOT NULL,
    scopes TEXT COLLATE "C" NOT NULL,
    challenge_method TEXT COLLATE "C",
    challenge TEXT COLLATE "C",
    subject_id TEXT COLLATE "C" NOT NULL,
    subject_email TEXT COLLATE "C" NOT NULL,
    subject_role TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    code_expires_at BIGINT NOT NULL,
    redeemed_at BIGINT,
    -- Set by the redemption.
    proof TEXT COLLATE "C",
    generation BIGINT,
    rotated_at BIGINT,
    idle_expires_at BIGINT,
    expires_at BIGINT,
    revoked_at BIGINT
);

CREATE TABLE signing_keys (
    sequence BIGINT PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL,
    algorithm TEXT COLLATE "C" NOT NULL,
    sealed BYTEA NOT NULL,
    created_at BIGINT NOT NULL
);

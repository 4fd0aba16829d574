-- Moments are seconds since 1970-01-01T00:00:00Z, days yyyy-MM-dd, digests 32 bytes, UUIDs lower-case text, booleans 0 or 1, and lists
-- JSON arrays. Columns named *_folded hold the text as filters compare it.

CREATE TABLE clubs (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    founded_year INTEGER NOT NULL,
    abolished_year INTEGER,
    leader_id INTEGER REFERENCES students (id) ON DELETE SET NULL
) STRICT;

-- A student who leaves a club stops leading it.
CREATE INDEX clubs_by_leader ON clubs (leader_id);

CREATE TABLE students (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    sex TEXT NOT NULL,
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL,
    specialty TEXT,
    specialty_folded TEXT,
    github_id TEXT,
    github_id_folded TEXT,
    role TEXT NOT NULL,
    grade INTEGER,
    class_num INTEGER,
    number INTEGER,
    student_number INTEGER,
    major TEXT,
    dormitory_room INTEGER,
    major_club_id INTEGER REFERENCES clubs (id) ON DELETE SET NULL,
    autonomous_club_id INTEGER REFERENCES clubs (id) ON DELETE SET NULL,
    CHECK (
        CASE WHEN role IN ('GRADUATE', 'WITHDRAWN') THEN
            coalesce(grade, class_num, number, student_number, major, dormitory_room, major_club_id, autonomous_club_id) IS NULL
        ELSE
            grade IS NOT NULL AND class_num IS NOT NULL AND number IS NOT NULL AND student_number IS NOT NULL AND major IS NOT NULL
        END
    )
) STRICT;

-- Pages are of enrolled students unless others are asked for, in order of id.
CREATE INDEX students_by_role ON students (role, id);
-- The members of the clubs on a page, and of a club that changes or goes.
CREATE INDEX students_by_major_club ON students (major_club_id);
CREATE INDEX students_by_autonomous_club ON students (autonomous_club_id);

CREATE TABLE projects (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    description TEXT NOT NULL,
    status TEXT NOT NULL,
    start_year INTEGER NOT NULL,
    end_year INTEGER,
    club_id INTEGER REFERENCES clubs (id) ON DELETE SET NULL,
    repositories TEXT NOT NULL,
    tech_stacks TEXT NOT NULL
) STRICT;

-- The projects of a club, to be listed or, when the club goes, to be left without it.
CREATE INDEX projects_by_club ON projects (club_id, id);

CREATE TABLE project_participants (
    project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    student_id INTEGER NOT NULL REFERENCES students (id) ON DELETE CASCADE,
    PRIMARY KEY (project_id, student_id)
) STRICT, WITHOUT ROWID;

-- A removed student leaves their projects.
CREATE INDEX project_participants_by_student ON project_participants (student_id);

CREATE TABLE meals (
    id TEXT PRIMARY KEY,
    school_code TEXT NOT NULL,
    school_name TEXT NOT NULL,
    office_code TEXT NOT NULL,
    office_name TEXT NOT NULL,
    date TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- Which meal of the day, from 1: the order of the kinds is not that of their names.
    position INTEGER NOT NULL,
    dishes TEXT NOT NULL,
    calories TEXT,
    origin TEXT,
    nutrition TEXT,
    serve_count INTEGER
) STRICT;

CREATE INDEX meals_by_date ON meals (date, position, id);

CREATE TABLE events (
    id TEXT PRIMARY KEY,
    school_code TEXT NOT NULL,
    school_name TEXT NOT NULL,
    office_code TEXT NOT NULL,
    office_name TEXT NOT NULL,
    date TEXT NOT NULL,
    academic_year TEXT NOT NULL,
    name TEXT NOT NULL,
    content TEXT,
    day_category TEXT,
    course_type TEXT,
    day_night TEXT,
    target_grades TEXT NOT NULL
) STRICT;

CREATE INDEX events_by_date ON events (date, name, id);

CREATE TABLE lessons (
    id TEXT PRIMARY KEY,
    school_code TEXT NOT NULL,
    school_name TEXT NOT NULL,
    office_code TEXT NOT NULL,
    office_name TEXT NOT NULL,
    date TEXT NOT NULL,
    academic_year TEXT NOT NULL,
    semester TEXT,
    grade INTEGER NOT NULL,
    class_num INTEGER NOT NULL,
    period INTEGER NOT NULL,
    subject TEXT,
    department TEXT,
    classroom TEXT
) STRICT;

CREATE INDEX lessons_by_date ON lessons (date, grade, class_num, period, id);

-- One row: which state the tables above are in.
CREATE TABLE directory_version (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
) STRICT;

INSERT INTO directory_version (id, version) VALUES (1, 0);

CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    role TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE applications (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE scopes (
    id TEXT PRIMARY KEY,
    application_id TEXT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    UNIQUE (application_id, name)
) STRICT;

CREATE TABLE clients (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    policy TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    plain_pkce_allowed INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE client_scopes (
    client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    scope_id TEXT NOT NULL REFERENCES scopes (id) ON DELETE CASCADE,
    PRIMARY KEY (client_id, position)
) STRICT, WITHOUT ROWID;

-- A scope that goes is taken from every client.
CREATE INDEX client_scopes_by_scope ON client_scopes (scope_id);

CREATE TABLE client_secrets (
    client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    digest BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (client_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    owner TEXT,
    description TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

-- Sessions, grants and keys name clients and people without references: a host may keep those elsewhere.
CREATE TABLE sessions (
    digest BLOB PRIMARY KEY,
    client_id TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    state TEXT,
    scopes TEXT NOT NULL,
    challenge_method TEXT,
    challenge TEXT,
    subject_id TEXT,
    subject_email TEXT,
    subject_role TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Expired sessions go when new ones come.
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- One row from the approval on: first it is known by its code, then by its id and the generation of its refresh token.
CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    code_digest BLOB NOT NULL UNIQUE,
    client_id TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    scopes TEXT NOT NULL,
    challenge_method TEXT,
    challenge TEXT,
    subject_id TEXT NOT NULL,
    subject_email TEXT NOT NULL,
    subject_role TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    code_expires_at INTEGER NOT NULL,
    redeemed_at INTEGER,
    -- Set by the redemption.
    proof TEXT,
    generation INTEGER,
    rotated_at INTEGER,
    idle_expires_at INTEGER,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT;

CREATE TABLE signing_keys (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    algorithm TEXT NOT NULL,
    sealed BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

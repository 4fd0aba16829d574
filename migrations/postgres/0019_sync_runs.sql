-- What each run of a sync read and changed.
CREATE TABLE sync_runs (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    first_day TEXT COLLATE "C" NOT NULL,
    last_day TEXT COLLATE "C" NOT NULL,
    result TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL,
    code TEXT COLLATE "C",
    calls BIGINT NOT NULL,
    inserted BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    deleted BIGINT NOT NULL,
    skipped BIGINT NOT NULL,
    version_before BIGINT NOT NULL,
    version_after BIGINT NOT NULL,
    started_by TEXT COLLATE "C" NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL
);

CREATE INDEX sync_runs_by_end ON sync_runs (ended_at);

-- When each kind of records was last confirmed to be current.
CREATE TABLE data_freshness (
    kind TEXT COLLATE "C" PRIMARY KEY,
    as_of BIGINT NOT NULL
);

-- Who does the work of each name, until when.
CREATE TABLE leases (
    name TEXT COLLATE "C" PRIMARY KEY,
    holder TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT NOT NULL
);

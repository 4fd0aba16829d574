-- What each run of a sync read and changed.
CREATE TABLE sync_runs (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    result TEXT NOT NULL,
    detail TEXT NOT NULL,
    code TEXT,
    calls INTEGER NOT NULL,
    inserted INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    skipped INTEGER NOT NULL,
    version_before INTEGER NOT NULL,
    version_after INTEGER NOT NULL,
    started_by TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sync_runs_by_end ON sync_runs (ended_at);

-- When each kind of records was last confirmed to be current.
CREATE TABLE data_freshness (
    kind TEXT PRIMARY KEY,
    as_of INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who does the work of each name, until when.
CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

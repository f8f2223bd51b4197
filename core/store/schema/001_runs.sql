-- Graphs and clusters are kept once per content hash; a run refers to them, so that it can be shown when its files are
-- gone. Times are in the unit of their name; a seed is 64 bits, kept as the signed integer of the same bits.

CREATE TABLE graphs (
    hash  TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL, -- of the JSON text
    json  BLOB NOT NULL     -- the text, zlib-compressed
) STRICT;

CREATE TABLE clusters (
    hash TEXT PRIMARY KEY,
    json TEXT NOT NULL
) STRICT;

CREATE TABLE runs (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    kind           TEXT NOT NULL CHECK (kind IN ('optimize', 'simulate')),
    status         TEXT NOT NULL CHECK (status IN ('running', 'finished', 'failed', 'cancelled', 'interrupted')),
    graph_hash     TEXT NOT NULL REFERENCES graphs (hash),
    graph_name     TEXT NOT NULL,
    graph_path     TEXT NOT NULL,
    ops            INTEGER NOT NULL,
    edges          INTEGER NOT NULL,
    cluster_hash   TEXT NOT NULL REFERENCES clusters (hash),
    cluster_id     TEXT NOT NULL,
    link_model     TEXT NOT NULL,    -- may differ from the cluster file's own
    optimizer      TEXT NOT NULL,    -- empty for a simulated plan
    revision       INTEGER NOT NULL, -- of the optimizer
    seed           INTEGER NOT NULL,
    version        TEXT NOT NULL,    -- of the product
    started_ms     INTEGER NOT NULL, -- Unix time
    wall_ms        INTEGER NOT NULL DEFAULT 0,
    makespan_ns    INTEGER,          -- the result; null where there is none
    lower_bound_ns INTEGER,
    peak_bytes     INTEGER,
    bytes_moved    INTEGER,
    feasible       INTEGER,
    error          TEXT NOT NULL DEFAULT '',
    notes          TEXT NOT NULL DEFAULT '',
    -- The process a running run belongs to. A process id is used again in time and across restarts of the machine, so
    -- it is told apart by when the process started, in clock ticks since boot, and by the boot.
    owner_pid      INTEGER NOT NULL,
    owner_started  INTEGER NOT NULL,
    owner_boot     TEXT NOT NULL
) STRICT;

CREATE INDEX runs_by_graph ON runs (graph_hash);
CREATE INDEX runs_by_cluster ON runs (cluster_hash);
CREATE INDEX runs_running ON runs (id) WHERE status = 'running';

CREATE TABLE run_options (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    name   TEXT NOT NULL,
    value  TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE plans (
    run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    bytes  INTEGER NOT NULL, -- of the JSON text
    json   BLOB NOT NULL     -- the text, zlib-compressed
) STRICT;

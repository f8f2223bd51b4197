-- How learning runs learn, written as they go on. A figure that is not a number is kept as null.

ALTER TABLE runs ADD COLUMN learns INTEGER NOT NULL DEFAULT 0; -- there is a curve

CREATE TABLE curve_points (
    run_id         INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    place          INTEGER NOT NULL, -- from 0, in the order they came
    update_number  INTEGER NOT NULL,
    seconds        REAL,             -- since the run began
    simulations    INTEGER NOT NULL,
    reward         REAL,
    best_ns        INTEGER NOT NULL, -- negative when there is no plan yet
    entropy        REAL,
    kl             REAL,
    clip_fraction  REAL,
    value_baseline REAL,
    PRIMARY KEY (run_id, place)
) STRICT, WITHOUT ROWID;

-- What a learning run is compared with.
CREATE TABLE curve_baselines (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    place  INTEGER NOT NULL,
    name   TEXT NOT NULL,
    ns     INTEGER NOT NULL,
    PRIMARY KEY (run_id, place)
) STRICT, WITHOUT ROWID;

-- Counts the changes to the list of runs, so that whoever shows it need not read it again for every piece of a curve.
CREATE TABLE run_changes (count INTEGER NOT NULL) STRICT;
INSERT INTO run_changes VALUES (0);
CREATE TRIGGER runs_inserted AFTER INSERT ON runs BEGIN UPDATE run_changes SET count = count + 1; END;
CREATE TRIGGER runs_updated AFTER UPDATE ON runs BEGIN UPDATE run_changes SET count = count + 1; END;
CREATE TRIGGER runs_deleted AFTER DELETE ON runs BEGIN UPDATE run_changes SET count = count + 1; END;

-- What an update of a learning run made smaller, and what is going on in a run: told by the process that makes it, for
-- others to see. The best plan so far is kept in `plans` while the run goes on.

ALTER TABLE curve_points ADD COLUMN policy_loss REAL;
ALTER TABLE curve_points ADD COLUMN imitation_loss REAL;

CREATE TABLE run_progress (
    run_id      INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    fraction    REAL NOT NULL,    -- negative when the end is not known
    best_ns     INTEGER NOT NULL, -- negative when there is no plan yet
    simulations INTEGER NOT NULL,
    stage       TEXT NOT NULL,
    paused      INTEGER NOT NULL, -- 0 or 1
    plans       INTEGER NOT NULL, -- how often a better plan was kept
    cuts        INTEGER NOT NULL  -- how often the end of its curve was taken away
) STRICT;

-- Who lists the runs shows which of them are paused.
CREATE TRIGGER runs_paused AFTER UPDATE OF paused ON run_progress WHEN OLD.paused != NEW.paused
BEGIN UPDATE run_changes SET count = count + 1; END;

-- What people add to a run: tags, a pin, the bin. A deleted run stays in the bin until that is emptied.

-- The same run in every database it is brought to; older runs get theirs now.
ALTER TABLE runs ADD COLUMN uid TEXT NOT NULL DEFAULT '';
UPDATE runs SET uid = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX runs_by_uid ON runs (uid);

ALTER TABLE runs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN deleted_ms INTEGER NOT NULL DEFAULT 0; -- Unix time; 0: it is not deleted
CREATE INDEX runs_in_bin ON runs (deleted_ms) WHERE deleted_ms > 0;

CREATE TABLE run_tags (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    tag    TEXT NOT NULL COLLATE NOCASE,
    PRIMARY KEY (run_id, tag)
) STRICT, WITHOUT ROWID;

-- Who lists the runs shows their tags too.
CREATE TRIGGER tags_inserted AFTER INSERT ON run_tags BEGIN UPDATE run_changes SET count = count + 1; END;
CREATE TRIGGER tags_deleted AFTER DELETE ON run_tags BEGIN UPDATE run_changes SET count = count + 1; END;

-- What the optimizer was to make short: 'step-time' or 'pipeline'; empty for a simulated plan. Before there was a choice,
-- the contiguous split alone had the pipeline in view.

ALTER TABLE runs ADD COLUMN objective TEXT NOT NULL DEFAULT '';

UPDATE runs SET objective = CASE optimizer WHEN '' THEN '' WHEN 'contiguous' THEN 'pipeline' ELSE 'step-time' END;

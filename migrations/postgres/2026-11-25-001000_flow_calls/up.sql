-- Locks: ACCESS EXCLUSIVE of flow_runs
-- Locks: SHARE UPDATE EXCLUSIVE of flow_runs
-- Writers: wait_shortly
--
-- Runs call others, and wait for their ends. The live ones that a run called are found by it.
--
-- The steps stand apart by empty lines; each is a transaction of its own, and all may be done once more.

ALTER TABLE flow_runs ADD COLUMN IF NOT EXISTS caller_id uuid;
ALTER TABLE flow_runs ADD COLUMN IF NOT EXISTS call_depth bigint NOT NULL DEFAULT 0;

CREATE INDEX CONCURRENTLY flow_runs_called_idx ON flow_runs (caller_id)
    WHERE caller_id IS NOT NULL AND ended_at IS NULL;

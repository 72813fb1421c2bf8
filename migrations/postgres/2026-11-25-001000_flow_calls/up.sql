-- Locks: ACCESS EXCLUSIVE of flow_runs
-- Locks: SHARE UPDATE EXCLUSIVE of flow_runs
-- Writers: wait_shortly
--
-- A run can call another one and wait for its end. The index finds the live runs that a run called.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

ALTER TABLE flow_runs ADD COLUMN IF NOT EXISTS caller_id uuid;
ALTER TABLE flow_runs ADD COLUMN IF NOT EXISTS call_depth bigint NOT NULL DEFAULT 0;

CREATE INDEX CONCURRENTLY flow_runs_called_idx ON flow_runs (caller_id)
    WHERE caller_id IS NOT NULL AND ended_at IS NULL;

-- A run can call another one and wait for its end. The index finds the live runs that a run called.
ALTER TABLE flow_runs ADD COLUMN caller_id blob;
ALTER TABLE flow_runs ADD COLUMN call_depth integer NOT NULL DEFAULT 0;
CREATE INDEX flow_runs_called_idx ON flow_runs (caller_id) WHERE caller_id IS NOT NULL AND ended_at IS NULL;

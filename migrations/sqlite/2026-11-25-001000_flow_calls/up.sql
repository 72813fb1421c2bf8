-- Runs call others, and wait for their ends. The live ones that a run called are found by it.
ALTER TABLE flow_runs ADD COLUMN caller_id blob;
ALTER TABLE flow_runs ADD COLUMN call_depth integer NOT NULL DEFAULT 0;
CREATE INDEX flow_runs_called_idx ON flow_runs (caller_id) WHERE caller_id IS NOT NULL AND ended_at IS NULL;

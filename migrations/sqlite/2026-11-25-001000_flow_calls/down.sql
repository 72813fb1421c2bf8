DROP INDEX flow_runs_called_idx;
ALTER TABLE flow_runs DROP COLUMN call_depth;
ALTER TABLE flow_runs DROP COLUMN caller_id;

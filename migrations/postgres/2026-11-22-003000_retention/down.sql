DROP INDEX flow_runs_ended_idx;
DROP INDEX deliveries_created_idx;

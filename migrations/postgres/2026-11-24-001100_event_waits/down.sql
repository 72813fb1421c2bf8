DROP INDEX CONCURRENTLY IF EXISTS flow_runs_awaiting_event_idx;

ALTER TABLE flow_runs DROP COLUMN IF EXISTS wait_details;
ALTER TABLE flow_runs DROP COLUMN IF EXISTS wait_event;

DROP TABLE IF EXISTS flow_awaits;

DROP INDEX flow_runs_awaiting_event_idx;
ALTER TABLE flow_runs DROP COLUMN wait_details;
ALTER TABLE flow_runs DROP COLUMN wait_event;
DROP TABLE flow_awaits;

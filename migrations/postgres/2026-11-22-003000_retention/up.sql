-- Locks: SHARE of deliveries, flow_runs
-- Writers: wait
--
-- What is old is found by its time alone, whosever it is: deliveries by when they were made, runs by when they ended.

CREATE INDEX deliveries_created_idx ON deliveries (created_at);
CREATE INDEX flow_runs_ended_idx ON flow_runs (ended_at) WHERE ended_at IS NOT NULL;

-- Locks: SHARE of deliveries, flow_runs
-- Writers: wait
--
-- Indexes for deleting old rows of all workspaces: deliveries by creation, runs by end.

CREATE INDEX deliveries_created_idx ON deliveries (created_at);
CREATE INDEX flow_runs_ended_idx ON flow_runs (ended_at) WHERE ended_at IS NOT NULL;

-- Runs of flows send HTTP requests. These calls are jobs. They are sent beside deliveries, and workspaces take turns.
-- Jobs of webhooks have a group, calls have none.
CREATE INDEX jobs_calls_idx ON jobs (pool, workspace_id, due_at)
    WHERE pool = 'deliveries' AND group_id IS NULL AND dead_at IS NULL AND NOT parked;

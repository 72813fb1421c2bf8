-- Locks: SHARE UPDATE EXCLUSIVE of jobs
-- Writers: go_on
--
-- Runs of flows send HTTP requests. These calls are jobs. They are sent beside deliveries, and workspaces take turns.
-- Jobs of webhooks have a group, calls have none. A process of the earlier release does not claim calls.

CREATE INDEX CONCURRENTLY jobs_calls_idx ON jobs (pool, workspace_id, due_at)
    WHERE pool = 'deliveries' AND group_id IS NULL AND dead_at IS NULL AND NOT parked;

-- Locks: SHARE UPDATE EXCLUSIVE of jobs
-- Writers: go_on
--
-- Runs of flows call other services. The calls stand among jobs, and go out beside deliveries, of one workspace after another;
-- jobs of webhooks have a group. A process of the release before leaves them alone.

CREATE INDEX CONCURRENTLY jobs_calls_idx ON jobs (pool, workspace_id, due_at)
    WHERE pool = 'deliveries' AND group_id IS NULL AND dead_at IS NULL AND NOT parked;

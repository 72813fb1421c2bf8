-- Locks: SHARE UPDATE EXCLUSIVE of jobs
-- Writers: go_on
--
-- Lists dead letters by workspace, the newest first.

CREATE INDEX CONCURRENTLY jobs_dead_letters_idx ON jobs (workspace_id, dead_at, id) WHERE dead_at IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS jobs_dead_idx;

-- Locks: SHARE UPDATE EXCLUSIVE of jobs
-- Writers: go_on
--
-- Jobs that were put aside are listed workspace by workspace, the last one first.

CREATE INDEX CONCURRENTLY jobs_dead_letters_idx ON jobs (workspace_id, dead_at, id) WHERE dead_at IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS jobs_dead_idx;

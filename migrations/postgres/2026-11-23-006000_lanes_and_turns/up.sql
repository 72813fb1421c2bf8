-- Locks: ACCESS EXCLUSIVE of jobs
-- Locks: SHARE UPDATE EXCLUSIVE of jobs
-- Writers: wait_shortly
--
-- Of the jobs of a lane only the first is in the index that claims go by: those behind it are parked until it ends. It
-- bears a mark then, by which whoever ends it knows that another is to be called.

ALTER TABLE jobs ADD COLUMN IF NOT EXISTS followed boolean NOT NULL DEFAULT false;

CREATE INDEX CONCURRENTLY jobs_due_idx_new ON jobs (pool, due_at)
    WHERE pool <> 'deliveries' AND dead_at IS NULL AND NOT parked;

DROP INDEX IF EXISTS jobs_due_idx;
ALTER INDEX jobs_due_idx_new RENAME TO jobs_due_idx;

-- Where more is due than is asked for, workspaces take turns.

CREATE INDEX CONCURRENTLY jobs_workspaces_idx ON jobs (pool, workspace_id, due_at)
    WHERE pool <> 'deliveries' AND dead_at IS NULL AND NOT parked;

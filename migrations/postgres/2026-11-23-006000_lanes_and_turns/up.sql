-- Locks: ACCESS EXCLUSIVE of jobs
-- Locks: SHARE UPDATE EXCLUSIVE of jobs
-- Writers: wait_shortly
--
-- Claims use an index that contains only the first job of each lane. The jobs behind it are parked until it ends. It
-- then has the mark `followed`, which makes the worker that ends it release the next one.

ALTER TABLE jobs ADD COLUMN IF NOT EXISTS followed boolean NOT NULL DEFAULT false;

CREATE INDEX CONCURRENTLY jobs_due_idx_new ON jobs (pool, due_at)
    WHERE pool <> 'deliveries' AND dead_at IS NULL AND NOT parked;

DROP INDEX IF EXISTS jobs_due_idx;
ALTER INDEX jobs_due_idx_new RENAME TO jobs_due_idx;

-- If more jobs are due than a claim asks for, workspaces take turns.

CREATE INDEX CONCURRENTLY jobs_workspaces_idx ON jobs (pool, workspace_id, due_at)
    WHERE pool <> 'deliveries' AND dead_at IS NULL AND NOT parked;

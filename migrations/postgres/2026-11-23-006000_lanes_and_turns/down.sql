DROP INDEX CONCURRENTLY IF EXISTS jobs_workspaces_idx;

CREATE INDEX CONCURRENTLY jobs_due_idx_new ON jobs (pool, due_at)
    WHERE pool <> 'deliveries' AND dead_at IS NULL;

DROP INDEX IF EXISTS jobs_due_idx;
ALTER INDEX jobs_due_idx_new RENAME TO jobs_due_idx;

UPDATE jobs SET parked = false WHERE parked AND group_id IS NULL;
ALTER TABLE jobs DROP COLUMN IF EXISTS followed;

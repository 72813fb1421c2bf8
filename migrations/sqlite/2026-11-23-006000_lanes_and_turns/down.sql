DROP INDEX jobs_workspaces_idx;
DROP INDEX jobs_due_idx;
CREATE INDEX jobs_due_idx ON jobs (pool, due_at) WHERE pool <> 'deliveries' AND dead_at IS NULL;
UPDATE jobs SET parked = 0 WHERE parked AND group_id IS NULL;
ALTER TABLE jobs DROP COLUMN followed;

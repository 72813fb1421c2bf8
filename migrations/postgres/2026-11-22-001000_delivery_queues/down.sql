DROP INDEX jobs_next_delivery_idx;
DROP INDEX jobs_due_idx;
CREATE INDEX jobs_due_idx ON jobs (pool, due_at) WHERE dead_at IS NULL;

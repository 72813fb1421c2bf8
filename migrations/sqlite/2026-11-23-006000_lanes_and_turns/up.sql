-- Claims use an index that contains only the first job of each lane. The jobs behind it are parked until it ends. It
-- then has the mark `followed`, which makes the worker that ends it release the next one.
ALTER TABLE jobs ADD COLUMN followed integer NOT NULL DEFAULT 0;
DROP INDEX jobs_due_idx;
CREATE INDEX jobs_due_idx ON jobs (pool, due_at) WHERE pool <> 'deliveries' AND dead_at IS NULL AND NOT parked;
-- If more jobs are due than a claim asks for, workspaces take turns.
CREATE INDEX jobs_workspaces_idx ON jobs (pool, workspace_id, due_at)
    WHERE pool <> 'deliveries' AND dead_at IS NULL AND NOT parked;

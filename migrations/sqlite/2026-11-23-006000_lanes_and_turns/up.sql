-- Of the jobs of a lane only the first is in the index that claims go by: those behind it are parked until it ends. It
-- bears a mark then, by which whoever ends it knows that another is to be called.
ALTER TABLE jobs ADD COLUMN followed integer NOT NULL DEFAULT 0;
DROP INDEX jobs_due_idx;
CREATE INDEX jobs_due_idx ON jobs (pool, due_at) WHERE pool <> 'deliveries' AND dead_at IS NULL AND NOT parked;
-- Where more is due than is asked for, workspaces take turns.
CREATE INDEX jobs_workspaces_idx ON jobs (pool, workspace_id, due_at)
    WHERE pool <> 'deliveries' AND dead_at IS NULL AND NOT parked;

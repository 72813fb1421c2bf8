-- Lists dead letters by workspace, the newest first.

CREATE INDEX jobs_dead_letters_idx ON jobs (workspace_id, dead_at, id) WHERE dead_at IS NOT NULL;
DROP INDEX IF EXISTS jobs_dead_idx;

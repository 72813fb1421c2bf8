CREATE INDEX IF NOT EXISTS jobs_dead_idx ON jobs (kind) WHERE dead_at IS NOT NULL;
DROP INDEX IF EXISTS jobs_dead_letters_idx;

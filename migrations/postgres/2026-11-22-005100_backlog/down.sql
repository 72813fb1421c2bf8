DROP INDEX webhooks_disabled_idx;
DROP INDEX jobs_dead_idx;

DROP INDEX jobs_calls_idx;

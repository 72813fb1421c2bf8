-- Locks: ACCESS EXCLUSIVE of jobs
-- Locks: SHARE of jobs
-- Writers: wait
--
-- Due deliveries are found webhook by webhook (jobs_turns_idx). In one index with all other jobs they were found, too,
-- by a look at every one that waits, which a planner without statistics takes to be as cheap.

DROP INDEX jobs_due_idx;
CREATE INDEX jobs_due_idx ON jobs (pool, due_at) WHERE pool <> 'deliveries' AND dead_at IS NULL;
-- When the next delivery falls due.
CREATE INDEX jobs_next_delivery_idx ON jobs (due_at)
    WHERE pool = 'deliveries' AND dead_at IS NULL AND NOT claimed AND NOT parked;

-- Locks: ACCESS EXCLUSIVE of jobs
-- Locks: SHARE of jobs
-- Writers: wait
--
-- Due deliveries are found webhook by webhook, with jobs_turns_idx. While they were also in the index of all due jobs,
-- a planner without statistics could choose that index and read every waiting delivery.

DROP INDEX jobs_due_idx;
CREATE INDEX jobs_due_idx ON jobs (pool, due_at) WHERE pool <> 'deliveries' AND dead_at IS NULL;
-- Finds the time at which the next delivery is due.
CREATE INDEX jobs_next_delivery_idx ON jobs (due_at)
    WHERE pool = 'deliveries' AND dead_at IS NULL AND NOT claimed AND NOT parked;

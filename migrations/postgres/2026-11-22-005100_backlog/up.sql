-- Locks: SHARE of jobs, webhooks
-- Writers: wait
--
-- What operators are told of every few seconds is counted without a look at everything else.

CREATE INDEX jobs_dead_idx ON jobs (kind) WHERE dead_at IS NOT NULL;
CREATE INDEX webhooks_disabled_idx ON webhooks (workspace_id) WHERE status = 'disabled';

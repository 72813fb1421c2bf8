-- Locks: SHARE UPDATE EXCLUSIVE of analytics_facts
-- Writers: go_on
--
-- Attempts at deliveries are facts until they are counted; statistics of webhooks read both.
CREATE INDEX CONCURRENTLY analytics_facts_attempts_idx ON analytics_facts (workspace_id, at) WHERE metric = 'webhook_attempts';

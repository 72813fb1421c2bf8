-- Locks: SHARE UPDATE EXCLUSIVE of analytics_facts
-- Writers: go_on
--
-- Attempts at deliveries are facts until they are counted. Statistics of webhooks read facts and counts.
CREATE INDEX CONCURRENTLY analytics_facts_attempts_idx ON analytics_facts (workspace_id, at) WHERE metric = 'webhook_attempts';

-- Attempts at deliveries are facts until they are counted. Statistics of webhooks read facts and counts.
CREATE INDEX analytics_facts_attempts_idx ON analytics_facts (workspace_id, at) WHERE metric = 'webhook_attempts';

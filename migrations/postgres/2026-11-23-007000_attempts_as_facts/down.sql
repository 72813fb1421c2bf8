DROP INDEX CONCURRENTLY IF EXISTS analytics_facts_attempts_idx;

-- Otherwise facts that are not counted yet would be counted as something else.
DELETE FROM analytics_facts WHERE metric = 'webhook_attempts';

-- Locks: SHARE UPDATE EXCLUSIVE of analytics_facts, conversations, deliveries, delivery_attempts, event_heads, events, flow_runs
-- Locks: SHARE UPDATE EXCLUSIVE of idempotency_keys, jobs, leases, webhooks, write_probe
-- Writers: go_on
--
-- Tables with many inserts and deletes are vacuumed by the number of dead rows, not by their size. Their files keep
-- their length, because it is needed again. They are not analysed, because no plan depends on their statistics. A fill
-- factor leaves room on the page of a row that often changes.

ALTER TABLE jobs SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2147483647, vacuum_truncate = off
);
ALTER TABLE analytics_facts SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2147483647, vacuum_truncate = off
);
ALTER TABLE deliveries SET (
    fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2147483647, vacuum_truncate = off
);
ALTER TABLE delivery_attempts SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2147483647, vacuum_truncate = off
);
ALTER TABLE events SET (
    fillfactor = 90, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2147483647, vacuum_truncate = off
);
ALTER TABLE idempotency_keys SET (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2147483647, vacuum_truncate = off
);
ALTER TABLE flow_runs SET (
    fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000
);
ALTER TABLE conversations SET (
    fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000
);
-- Tables with few rows and constant updates.
ALTER TABLE event_heads SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
ALTER TABLE webhooks SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
ALTER TABLE leases SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
ALTER TABLE write_probe SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

DELETE FROM object_references WHERE owner_kind = 'broadcast';
DELETE FROM jobs WHERE kind IN ('start_broadcast', 'spread_broadcast', 'send_portion', 'close_broadcast');
DELETE FROM analytics_facts WHERE metric = 'broadcast';
DROP TABLE broadcast_counts;
DROP TABLE broadcast_recipients;
DROP TABLE broadcasts;

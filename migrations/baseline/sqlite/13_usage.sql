-- The usage log, analytics and the audit log.

-- Requests, with the code of the problem and up to three wrong places as JSON.
CREATE TABLE api_usage (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    at integer NOT NULL,
    key_id blob,
    user_id blob,
    method text NOT NULL,
    route text NOT NULL,
    status integer NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL,
    address text NOT NULL,
    error_code text,
    errors text,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX api_usage_at_idx ON api_usage (workspace_id, at, id);
CREATE INDEX api_usage_expiry_idx ON api_usage (at);

-- Sums by hour. Release 0.4.0 writes them; this release does not use them.
CREATE TABLE api_usage_hours (
    workspace_id blob NOT NULL,
    hour integer NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    requests integer NOT NULL,
    client_errors integer NOT NULL,
    server_errors integer NOT NULL,
    duration_ms integer NOT NULL,
    PRIMARY KEY (workspace_id, hour, method, route)
) STRICT;
CREATE INDEX api_usage_hours_expiry_idx ON api_usage_hours (hour);

-- Sums by quarter of an hour. key_id is nil for requests of users, and error_code is '' for requests without a problem.
CREATE TABLE api_usage_sums (
    workspace_id blob NOT NULL,
    quarter integer NOT NULL,
    key_id blob NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    status integer NOT NULL,
    error_code text NOT NULL,
    requests integer NOT NULL,
    duration_ms integer NOT NULL,
    last_at integer NOT NULL,
    PRIMARY KEY (workspace_id, quarter, key_id, method, route, status, error_code)
) STRICT;
CREATE INDEX api_usage_sums_expiry_idx ON api_usage_sums (quarter);

-- Facts that are not counted yet, one row each: an insert never waits for another one.
CREATE TABLE analytics_facts (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    metric text NOT NULL,
    dimension text NOT NULL,
    amount integer NOT NULL,
    at integer NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX analytics_facts_attempts_idx ON analytics_facts (workspace_id, at) WHERE metric = 'webhook_attempts';

-- Counted facts by quarter of an hour, which add up to the hours and days of every time zone.
CREATE TABLE analytics_counters (
    workspace_id blob NOT NULL,
    metric text NOT NULL,
    dimension text NOT NULL,
    quarter integer NOT NULL,
    amount integer NOT NULL,
    PRIMARY KEY (workspace_id, quarter, metric, dimension)
) STRICT;
CREATE INDEX analytics_counters_metric_idx ON analytics_counters (workspace_id, metric, quarter, amount);

-- Counts of reply times by quarter of an hour, member and channel.
CREATE TABLE reply_times (
    workspace_id blob NOT NULL,
    quarter integer NOT NULL,
    measure text NOT NULL,
    channel_id blob NOT NULL,
    user_id blob NOT NULL,
    bucket integer NOT NULL,
    amount integer NOT NULL,
    PRIMARY KEY (workspace_id, quarter, measure, channel_id, user_id, bucket)
) STRICT;

-- Changes by members, keys and operators. Rows are never changed, and are deleted by day.
CREATE TABLE audit_log (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    at integer NOT NULL,
    day integer NOT NULL,
    actor_kind text NOT NULL,
    actor text NOT NULL,
    scope text,
    action text NOT NULL,
    object_type text NOT NULL,
    object_id text,
    object_name text,
    changes text NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_log_at_list ON audit_log (workspace_id, at, id);
CREATE INDEX audit_log_day_idx ON audit_log (day);
CREATE INDEX audit_log_of_action_idx ON audit_log (action, workspace_id, at, id);
CREATE INDEX audit_log_of_actor_idx ON audit_log (actor, workspace_id, at, id);
CREATE INDEX audit_log_of_object_idx ON audit_log (object_id, workspace_id, at, id) WHERE object_id IS NOT NULL;
CREATE INDEX audit_log_of_type_idx ON audit_log (object_type, workspace_id, at, id);

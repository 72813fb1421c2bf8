-- Sums of requests by quarter of an hour, written together with the requests, so summaries do not scan api_usage.
-- key_id is nil for requests of users, and error_code is '' for requests without a known problem.
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

-- Copies the sums of earlier hours. They contain the number of requests of each status class, without key and quarter.
-- The duration of an hour is divided among the classes. The earlier release continues to write api_usage_hours. This
-- release neither writes nor reads it, and a later release drops it.
INSERT INTO api_usage_sums (
    workspace_id, quarter, key_id, method, route, status, error_code, requests, duration_ms, last_at
)
SELECT
    hours.workspace_id, hours.hour, zeroblob(16), hours.method, hours.route,
    classes.status, '', classes.requests, hours.duration_ms * classes.requests / hours.requests, hours.hour
FROM api_usage_hours AS hours
JOIN (
    SELECT workspace_id, hour, method, route, 200 AS status, requests - client_errors - server_errors AS requests
    FROM api_usage_hours
    UNION ALL
    SELECT workspace_id, hour, method, route, 400, client_errors FROM api_usage_hours
    UNION ALL
    SELECT workspace_id, hour, method, route, 500, server_errors FROM api_usage_hours
) AS classes USING (workspace_id, hour, method, route)
WHERE classes.requests > 0;

-- The code of the problem and up to three wrong places as JSON. These statements are last because their lock blocks
-- writers of api_usage until the migration ends.
ALTER TABLE api_usage ADD COLUMN error_code text;
ALTER TABLE api_usage ADD COLUMN errors text;

-- Locks: ACCESS EXCLUSIVE of api_usage
-- Writers: wait_shortly
--
-- Sums of requests by quarter of an hour, written together with the requests, so summaries do not scan api_usage.
-- key_id is nil for requests of users, and error_code is '' for requests without a known problem.
CREATE TABLE api_usage_sums (
    workspace_id uuid NOT NULL,
    quarter timestamptz NOT NULL,
    key_id uuid NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    status integer NOT NULL,
    error_code text NOT NULL,
    requests bigint NOT NULL,
    duration_ms bigint NOT NULL,
    last_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, quarter, key_id, method, route, status, error_code)
);
CREATE INDEX api_usage_sums_expiry_idx ON api_usage_sums (quarter);

-- Copies the sums of earlier hours. They contain the number of requests of each status class, without key and quarter.
-- The duration of an hour is divided among the classes. The earlier release continues to write api_usage_hours. This
-- release neither writes nor reads it, and a later release drops it.
INSERT INTO api_usage_sums (
    workspace_id, quarter, key_id, method, route, status, error_code, requests, duration_ms, last_at
)
SELECT
    hours.workspace_id, hours.hour, '00000000-0000-0000-0000-000000000000'::uuid, hours.method, hours.route,
    classes.status, '', classes.requests, hours.duration_ms * classes.requests / hours.requests, hours.hour
FROM api_usage_hours AS hours
CROSS JOIN LATERAL (
    VALUES (200, hours.requests - hours.client_errors - hours.server_errors),
           (400, hours.client_errors),
           (500, hours.server_errors)
) AS classes (status, requests)
WHERE classes.requests > 0;

-- The code of the problem and up to three wrong places as JSON. These statements are last because their lock blocks
-- writers of api_usage until the migration ends.
ALTER TABLE api_usage ADD COLUMN error_code text;
ALTER TABLE api_usage ADD COLUMN errors text;

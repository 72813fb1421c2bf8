-- Locks: ACCESS EXCLUSIVE of api_usage
-- Writers: wait_shortly
--
-- Requests by quarter of an hour, added up when they are written, so that no summary scans them. The key is nil where a
-- person asked, the code '' where nothing is known to have been wrong.
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

-- What is known of the hours before: how many requests there were of each class, not by whom nor in which quarter. What
-- they took is shared out among the classes. The release before goes on writing api_usage_hours; it is neither written
-- nor read any more, and goes with a later release.
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

-- What was wrong with a request: the problem's code, and up to three places in JSON. At the end, as nobody writes
-- requests from here on until all is done.
ALTER TABLE api_usage ADD COLUMN error_code text;
ALTER TABLE api_usage ADD COLUMN errors text;

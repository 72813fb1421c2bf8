-- Webhooks and deliveries.

-- The columns from `failures` to `health_version` describe the health of the receiver. Attempts write them. Their version is
-- health_version.
CREATE TABLE webhooks (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    url text NOT NULL,
    events text NOT NULL,
    description text,
    payload text NOT NULL,
    secret bytea NOT NULL,
    secret_hint text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    status text NOT NULL DEFAULT 'active',
    disabled_reason text,
    headers text NOT NULL DEFAULT '[]',
    older_secrets text NOT NULL DEFAULT '[]',
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    parked_until timestamptz,
    rests integer NOT NULL DEFAULT 0,
    last_delivery_at timestamptz,
    health_version bigint NOT NULL DEFAULT 0,
    sealed_headers text NOT NULL DEFAULT '[]',
    PRIMARY KEY (workspace_id, id)
) WITH (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200
);
CREATE INDEX webhooks_disabled_idx ON webhooks (workspace_id) WHERE status = 'disabled';
CREATE INDEX webhooks_plain_headers_idx ON webhooks (workspace_id, id) WHERE headers <> '[]';

-- A delivery is its own row in the queue. `queue` is 1 for a first attempt, 2 for a later one, 3 while the webhook is not active, and
-- null if no attempt follows. queued_for is the webhook in the first three cases. The columns from first_at contain the outcome of the
-- first attempt. Without a reference to webhooks: the deliveries of a deleted webhook stay readable.
CREATE TABLE deliveries (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_kind text NOT NULL,
    status text NOT NULL,
    attempts integer NOT NULL,
    next_attempt_at timestamptz,
    last_status integer,
    last_error text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    round_start integer NOT NULL DEFAULT 0,
    queue integer,
    queued_for uuid,
    leased_until timestamptz,
    token bigint NOT NULL DEFAULT 0,
    claims integer NOT NULL DEFAULT 0,
    errors integer NOT NULL DEFAULT 0,
    first_at timestamptz,
    first_duration_ms bigint,
    first_status integer,
    first_headers text,
    first_body text,
    first_error text,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, event_id) REFERENCES events (workspace_id, id)
) WITH (
    fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    vacuum_truncate = off, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2147483647
);
CREATE UNIQUE INDEX deliveries_event_webhook_key ON deliveries (event_id, webhook_id, workspace_id)
    WHERE event_id IS NOT NULL;
CREATE INDEX deliveries_created_idx ON deliveries (created_at);
CREATE INDEX deliveries_of_webhook_idx ON deliveries (webhook_id, created_at, id) WHERE webhook_id IS NOT NULL;
CREATE INDEX deliveries_queue_idx ON deliveries (queue, queued_for, next_attempt_at) WHERE queue IS NOT NULL;

-- Outcomes of the attempts after the first one.
CREATE TABLE delivery_attempts (
    workspace_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    at timestamptz NOT NULL,
    duration_ms bigint NOT NULL,
    status integer,
    headers text NOT NULL,
    body text NOT NULL,
    error text,
    PRIMARY KEY (workspace_id, delivery_id, number),
    FOREIGN KEY (workspace_id, delivery_id) REFERENCES deliveries (workspace_id, id)
) WITH (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, vacuum_truncate = off,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2147483647
);

-- Attempts by hour, result and duration.
CREATE TABLE webhook_counts (
    workspace_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    succeeded boolean NOT NULL,
    bucket integer NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (workspace_id, webhook_id, hour, succeeded, bucket)
);
CREATE INDEX webhook_counts_hour_idx ON webhook_counts (hour);

CREATE TABLE webhook_replays (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    status text NOT NULL,
    after_at timestamptz,
    after_id uuid,
    PRIMARY KEY (workspace_id, id)
);

-- Locks: SHARE ROW EXCLUSIVE of workspaces
-- Writers: wait_shortly
--
-- Broadcasts: one message to many contacts. One statement writes the recipients. No other row is locked for them.
CREATE TABLE broadcasts (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    audience text NOT NULL,
    message text NOT NULL,
    channel_id uuid,
    scheduled_at timestamptz,
    time_zone text NOT NULL,
    rate_per_minute bigint,
    status text NOT NULL,
    error text,
    round bigint NOT NULL,
    targeted bigint NOT NULL,
    started_at timestamptz,
    ended_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX broadcasts_created_list ON broadcasts (workspace_id, created_at, id) WHERE updated_at IS NOT NULL;
CREATE INDEX broadcasts_ended_idx ON broadcasts (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX broadcasts_status_list ON broadcasts (workspace_id, status, created_at, id) WHERE status IS NOT NULL;
CREATE TABLE broadcast_recipients (
    workspace_id uuid NOT NULL,
    broadcast_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    place bigint NOT NULL,
    due_at timestamptz NOT NULL,
    status text NOT NULL,
    message_id uuid,
    PRIMARY KEY (workspace_id, broadcast_id, contact_id)
) WITH (fillfactor = 80);
CREATE INDEX broadcast_recipients_place_idx ON broadcast_recipients (broadcast_id, place) WHERE broadcast_id IS NOT NULL;
CREATE TABLE broadcast_counts (
    workspace_id uuid NOT NULL,
    broadcast_id uuid NOT NULL,
    what text NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (workspace_id, broadcast_id, what)
);

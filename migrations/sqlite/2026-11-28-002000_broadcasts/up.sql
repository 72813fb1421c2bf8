-- Broadcasts: one message to many contacts. One statement writes the recipients. No other row is locked for them.
CREATE TABLE broadcasts (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    id blob NOT NULL,
    name text NOT NULL,
    audience text NOT NULL,
    message text NOT NULL,
    channel_id blob,
    scheduled_at integer,
    time_zone text NOT NULL,
    rate_per_minute integer,
    status text NOT NULL,
    error text,
    round integer NOT NULL,
    targeted integer NOT NULL,
    started_at integer,
    ended_at integer,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX broadcasts_created_list ON broadcasts (workspace_id, created_at, id);
CREATE INDEX broadcasts_ended_idx ON broadcasts (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX broadcasts_status_list ON broadcasts (workspace_id, status, created_at, id) WHERE status IS NOT NULL;
CREATE TABLE broadcast_recipients (
    workspace_id blob NOT NULL,
    broadcast_id blob NOT NULL,
    contact_id blob NOT NULL,
    place integer NOT NULL,
    due_at integer NOT NULL,
    status text NOT NULL,
    message_id blob,
    PRIMARY KEY (workspace_id, broadcast_id, contact_id)
) STRICT;
CREATE INDEX broadcast_recipients_place_idx ON broadcast_recipients (broadcast_id, place) WHERE broadcast_id IS NOT NULL;
CREATE TABLE broadcast_counts (
    workspace_id blob NOT NULL,
    broadcast_id blob NOT NULL,
    what text NOT NULL,
    amount integer NOT NULL,
    PRIMARY KEY (workspace_id, broadcast_id, what)
) STRICT;

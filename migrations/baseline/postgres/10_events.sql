-- Events and their positions in the feed.

-- Events are never changed. Only events of releases before 0.5.0 have a position in this table.
CREATE TABLE events (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    contact_id uuid,
    full_envelope text NOT NULL,
    thin_envelope text NOT NULL,
    -- The sequencer assigns positions in this order.
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    position bigint,
    PRIMARY KEY (workspace_id, id)
) WITH (
    fillfactor = 100, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    vacuum_truncate = off, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2147483647
);
CREATE UNIQUE INDEX events_position_key ON events (workspace_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_numbered_at_idx ON events (at) WHERE position IS NOT NULL;
CREATE INDEX events_of_contact_idx ON events (contact_id, at, id) WHERE contact_id IS NOT NULL;

-- Last positions that releases before 0.5.0 assigned.
CREATE TABLE event_heads (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
    position bigint NOT NULL
) WITH (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200
);

-- Positions in the feed.
CREATE TABLE event_positions (
    workspace_id uuid NOT NULL,
    position bigint NOT NULL,
    event_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, position)
);
CREATE INDEX event_positions_at_idx ON event_positions (at);

-- Events without a position. A trigger writes them, and the sequencer assigns positions after the commit.
CREATE TABLE event_outbox (
    recorded_at timestamptz NOT NULL,
    event_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (recorded_at, event_id)
) WITH (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0,
    vacuum_truncate = off, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2147483647
);

-- Last positions of the feeds.
CREATE TABLE feed_heads (
    workspace_id uuid PRIMARY KEY,
    position bigint NOT NULL
) WITH (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200
);

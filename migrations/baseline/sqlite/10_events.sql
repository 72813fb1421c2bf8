-- Events and their positions in the feed.

-- Events are never changed. Only events of releases before 0.5.0 have a position in this table.
CREATE TABLE events (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    kind text NOT NULL,
    at integer NOT NULL,
    contact_id blob,
    full_envelope text NOT NULL,
    thin_envelope text NOT NULL,
    recorded_at integer NOT NULL DEFAULT 0,
    position integer,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX events_position_key ON events (workspace_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_numbered_at_idx ON events (at) WHERE position IS NOT NULL;
CREATE INDEX events_of_contact_idx ON events (contact_id, at, id) WHERE contact_id IS NOT NULL;

-- Last positions that releases before 0.5.0 assigned.
CREATE TABLE event_heads (
    workspace_id blob NOT NULL PRIMARY KEY REFERENCES workspaces (id),
    position integer NOT NULL
) STRICT;

-- Positions in the feed.
CREATE TABLE event_positions (
    workspace_id blob NOT NULL,
    position integer NOT NULL,
    event_id blob NOT NULL,
    at integer NOT NULL,
    PRIMARY KEY (workspace_id, position)
) WITHOUT ROWID;
CREATE INDEX event_positions_at_idx ON event_positions (at);

-- Used on PostgreSQL only, where the order of commits is not known in advance.
CREATE TABLE event_outbox (
    recorded_at integer NOT NULL,
    event_id blob NOT NULL,
    workspace_id blob NOT NULL,
    at integer NOT NULL,
    PRIMARY KEY (recorded_at, event_id)
) WITHOUT ROWID;

-- Last positions of the feeds.
CREATE TABLE feed_heads (
    workspace_id blob PRIMARY KEY,
    position integer NOT NULL
) WITHOUT ROWID;

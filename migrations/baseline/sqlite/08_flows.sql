-- Flows and their runs.

CREATE TABLE flows (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    id blob NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    version_published integer,
    has_unpublished_changes integer NOT NULL,
    definition text NOT NULL,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    deleted_at integer,
    -- The objects that the words of the draft name, by JSON pointer.
    bindings text,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX flows_created_list ON flows (workspace_id, created_at, id);

-- Triggers of the published version. Events and keywords find their flows here.
CREATE TABLE flow_triggers (
    workspace_id blob NOT NULL,
    flow_id blob NOT NULL,
    place integer NOT NULL,
    kind text NOT NULL,
    word text NOT NULL,
    definition text NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, place),
    FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
) STRICT;
CREATE INDEX flow_triggers_word_idx ON flow_triggers (workspace_id, kind, word);

CREATE TABLE flow_versions (
    workspace_id blob NOT NULL,
    flow_id blob NOT NULL,
    number integer NOT NULL,
    definition text NOT NULL,
    tags text NOT NULL,
    created_at integer NOT NULL,
    -- The objects that the words of the version name, by JSON pointer.
    bindings text,
    PRIMARY KEY (workspace_id, flow_id, number),
    FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
) STRICT;

-- cause_id is the event that started the run: an event starts a flow once. caller_id is the run that called this one.
CREATE TABLE flow_runs (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    flow_id blob NOT NULL,
    flow_version integer NOT NULL,
    contact_id blob NOT NULL,
    slot blob NOT NULL,
    status text NOT NULL,
    node text,
    vars text NOT NULL,
    trace text NOT NULL,
    wait_until integer,
    visit integer NOT NULL,
    nodes_visited integer NOT NULL,
    started_by_kind text NOT NULL,
    started_by_id text,
    started_at integer NOT NULL,
    ended_at integer,
    error text,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    channel_id blob,
    wait_kind text,
    wait_attempt integer NOT NULL DEFAULT 0,
    cause_id blob,
    depth integer NOT NULL DEFAULT 1,
    event text,
    wait_event text,
    wait_details text,
    caller_id blob,
    call_depth integer NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, flow_id, flow_version) REFERENCES flow_versions (workspace_id, flow_id, number),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX flow_runs_cause_key ON flow_runs (cause_id, flow_id, workspace_id) WHERE cause_id IS NOT NULL;
CREATE UNIQUE INDEX flow_runs_live_key ON flow_runs (flow_id, contact_id, slot, workspace_id)
    WHERE flow_id IS NOT NULL AND ended_at IS NULL;
CREATE INDEX flow_runs_at_node_idx ON flow_runs (node, flow_id, started_at, id)
    WHERE node IS NOT NULL AND status IN ('active', 'waiting');
CREATE INDEX flow_runs_awaiting_event_idx ON flow_runs (contact_id, wait_event) WHERE wait_kind = 'event';
CREATE INDEX flow_runs_awaiting_idx ON flow_runs (contact_id) WHERE wait_kind = 'reply';
CREATE INDEX flow_runs_called_idx ON flow_runs (caller_id) WHERE caller_id IS NOT NULL AND ended_at IS NULL;
CREATE INDEX flow_runs_ended_idx ON flow_runs (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX flow_runs_of_contact_idx ON flow_runs (contact_id, started_at, id) WHERE contact_id IS NOT NULL;
CREATE INDEX flow_runs_of_flow_idx ON flow_runs (flow_id, started_at, id) WHERE flow_id IS NOT NULL;
CREATE INDEX flow_runs_started_list ON flow_runs (workspace_id, started_at, id);

-- Events that runs of published versions can wait for.
CREATE TABLE flow_awaits (
    workspace_id blob NOT NULL,
    flow_id blob NOT NULL,
    event text NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, event),
    FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
);

-- The next time at which a schedule trigger starts its flow.
CREATE TABLE flow_schedules (
    workspace_id blob NOT NULL,
    flow_id blob NOT NULL,
    visit integer NOT NULL,
    next_at integer,
    zone text NOT NULL,
    fired_at integer,
    PRIMARY KEY (workspace_id, flow_id),
    FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
);

-- Contacts of a schedule that have no run yet. Without foreign keys: there are hundreds of thousands, for a few minutes.
CREATE TABLE flow_recipients (
    workspace_id blob NOT NULL,
    flow_id blob NOT NULL,
    fired_at integer NOT NULL,
    contact_id blob NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, fired_at, contact_id)
);

-- Counts of nodes by hour. The hour 1970-01-01T00:00Z has the total. Counts of ended visits have the exit in `what`, and the
-- duration in `bucket`.
CREATE TABLE flow_node_counts (
    workspace_id blob NOT NULL,
    flow_id blob NOT NULL,
    hour integer NOT NULL,
    flow_version integer NOT NULL,
    node text NOT NULL,
    what text NOT NULL,
    bucket integer NOT NULL,
    amount integer NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, hour, flow_version, node, what, bucket)
) STRICT;

-- Encrypted values that only HTTP requests of flows use.
CREATE TABLE secrets (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    id blob NOT NULL,
    name text NOT NULL,
    sealed blob NOT NULL,
    hosts text NOT NULL,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX secrets_name_key ON secrets (workspace_id, name) WHERE name IS NOT NULL;

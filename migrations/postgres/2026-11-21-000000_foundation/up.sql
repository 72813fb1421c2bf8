-- Locks: none
-- Writers: go_on
--
-- workspace_id is the first column of every key of workspace data, as a basis for distributing rows by it. JSON is
-- stored as text and read back byte for byte. Text columns that lists are sorted by compare byte by byte, as on SQLite.

CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL
);

CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    name text NOT NULL,
    scope text NOT NULL,
    digest bytea NOT NULL,
    prefix text NOT NULL,
    last_four text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz
);
CREATE UNIQUE INDEX api_keys_digest_key ON api_keys (digest);
CREATE INDEX api_keys_workspace_idx ON api_keys (workspace_id, created_at);

CREATE TABLE channels (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    is_default boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX channels_default_key ON channels (workspace_id) WHERE is_default;

CREATE TABLE contacts (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    external_id text,
    first_name text,
    last_name text,
    email text,
    phone text,
    locale text,
    time_zone text,
    status text NOT NULL,
    subscribed boolean NOT NULL,
    last_message_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX contacts_external_id_key ON contacts (workspace_id, external_id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX contacts_email_key ON contacts (workspace_id, email) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX contacts_phone_key ON contacts (workspace_id, phone) WHERE deleted_at IS NULL;
CREATE INDEX contacts_created_idx ON contacts (workspace_id, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE contact_identities (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    address text NOT NULL,
    opted_in boolean NOT NULL,
    live boolean NOT NULL,
    PRIMARY KEY (workspace_id, contact_id, channel_id, address),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id),
    FOREIGN KEY (workspace_id, channel_id) REFERENCES channels (workspace_id, id)
);
CREATE UNIQUE INDEX contact_identities_address_key ON contact_identities (workspace_id, channel_id, address) WHERE live;

CREATE TABLE tags (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    color text,
    description text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX tags_name_key ON tags (workspace_id, name_key);
CREATE INDEX tags_created_idx ON tags (workspace_id, created_at, id);

-- Without a reference to tags: a job removes the links of a deleted tag.
CREATE TABLE contact_tags (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    tag_id uuid NOT NULL,
    applied_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, contact_id, tag_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);
CREATE INDEX contact_tags_tag_idx ON contact_tags (workspace_id, tag_id, contact_id);

CREATE TABLE custom_fields (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    options text NOT NULL,
    rules text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX custom_fields_key_key ON custom_fields (workspace_id, key);

-- match_key is the text that filters compare. elements contains the keys of a list, between separators.
CREATE TABLE contact_values (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    field_id uuid NOT NULL,
    value text NOT NULL,
    match_key text,
    elements text,
    PRIMARY KEY (workspace_id, contact_id, field_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);
CREATE INDEX contact_values_match_idx ON contact_values (workspace_id, field_id, match_key, contact_id);

CREATE TABLE bot_fields (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    value text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX bot_fields_key_key ON bot_fields (workspace_id, key);

CREATE TABLE conversations (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    contact_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    status text NOT NULL,
    handler text NOT NULL,
    last_message_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id),
    FOREIGN KEY (workspace_id, channel_id) REFERENCES channels (workspace_id, id)
);
CREATE UNIQUE INDEX conversations_contact_channel_key ON conversations (workspace_id, contact_id, channel_id);
CREATE INDEX conversations_created_idx ON conversations (workspace_id, created_at, id);

CREATE TABLE messages (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    direction text NOT NULL,
    text text NOT NULL,
    status text NOT NULL,
    history text NOT NULL,
    error text,
    sender_kind text NOT NULL,
    sender_id text,
    provider_message_id text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id)
);
CREATE INDEX messages_conversation_idx ON messages (workspace_id, conversation_id, created_at, id);

CREATE TABLE flows (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    version_published bigint,
    has_unpublished_changes boolean NOT NULL,
    definition text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX flows_created_idx ON flows (workspace_id, created_at, id);

CREATE TABLE flow_versions (
    workspace_id uuid NOT NULL,
    flow_id uuid NOT NULL,
    number bigint NOT NULL,
    definition text NOT NULL,
    tags text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, number),
    FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
);

CREATE TABLE flow_runs (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    flow_id uuid NOT NULL,
    flow_version bigint NOT NULL,
    contact_id uuid NOT NULL,
    slot uuid NOT NULL,
    status text NOT NULL,
    node text,
    vars text NOT NULL,
    trace text NOT NULL,
    wait_until timestamptz,
    visit bigint NOT NULL,
    nodes_visited bigint NOT NULL,
    started_by_kind text NOT NULL,
    started_by_id text,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    error text,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, flow_id, flow_version) REFERENCES flow_versions (workspace_id, flow_id, number),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);
CREATE UNIQUE INDEX flow_runs_live_key ON flow_runs (workspace_id, flow_id, contact_id, slot) WHERE ended_at IS NULL;
CREATE INDEX flow_runs_starts_idx ON flow_runs (workspace_id, contact_id, flow_id, started_at);

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
    PRIMARY KEY (workspace_id, id)
);

CREATE TABLE events (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    contact_id uuid,
    full_envelope text NOT NULL,
    thin_envelope text NOT NULL,
    PRIMARY KEY (workspace_id, id)
);

-- Without a reference to webhooks: the deliveries of a deleted webhook stay readable.
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
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, event_id) REFERENCES events (workspace_id, id)
);
CREATE UNIQUE INDEX deliveries_event_webhook_key ON deliveries (workspace_id, event_id, webhook_id);
CREATE INDEX deliveries_webhook_idx ON deliveries (workspace_id, webhook_id, created_at, id);

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
);

-- While a job is claimed, due_at is the end of its lease: one index finds due jobs and jobs of dead workers.
CREATE TABLE jobs (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    pool text NOT NULL,
    kind text NOT NULL,
    subject uuid NOT NULL,
    mark bigint NOT NULL,
    lane uuid,
    group_id uuid,
    due_at timestamptz NOT NULL,
    claimed boolean NOT NULL,
    token bigint NOT NULL,
    claims integer NOT NULL,
    attempts integer NOT NULL,
    error text,
    dead_at timestamptz,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX jobs_due_idx ON jobs (pool, due_at) WHERE dead_at IS NULL;
CREATE INDEX jobs_lane_idx ON jobs (lane, id) WHERE lane IS NOT NULL AND dead_at IS NULL;
-- A lease is extended by the ID of its job, without the other columns of the key.
CREATE INDEX jobs_claimed_idx ON jobs (id) WHERE claimed;
CREATE UNIQUE INDEX jobs_claimed_lane_key ON jobs (lane) WHERE lane IS NOT NULL AND claimed;

CREATE TABLE idempotency_keys (
    workspace_id uuid NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status integer NOT NULL,
    location text,
    etag text,
    body bytea NOT NULL,
    sealed boolean NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, method, route, key)
);
CREATE INDEX idempotency_keys_created_idx ON idempotency_keys (created_at);

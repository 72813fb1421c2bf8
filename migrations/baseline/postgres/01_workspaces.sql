-- The schema of release 0.5.0. An empty database gets it from the files of this folder in place of all migrations up to
-- 2026-12-28-006000, in one transaction.
--
-- workspace_id is the first column of every key of workspace data, as a basis for distributing rows by it. JSON is stored as
-- text and read back byte for byte. Text columns that lists are sorted by have the collation "C": they compare byte by byte, as
-- on SQLite.
--
-- Each query has one index to use, even without statistics:
-- * An index begins with the column that only its query names, and contains only rows with a value in that column. So the planner
--   cannot use it for a query that does not name the column.
-- * An index of a whole workspace (_list) begins with workspace_id and is limited to `updated_at IS NOT NULL`, which only such
--   lists ask for.
-- * All other rows are read by workspace_id and id: the primary key.
--
-- Tables with many inserts and deletes are vacuumed by the number of dead rows, not by their size. Their files keep their
-- length, and no plan depends on their statistics. A fill factor leaves room on the page of a row that often changes.

-- Workspaces and their API keys.

-- A sandbox has live_workspace_id, the workspace that it belongs to.
CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    time_zone text NOT NULL DEFAULT 'UTC',
    live_workspace_id uuid REFERENCES workspaces (id),
    -- `send`, or `hold`: messages and deliveries are paused.
    outbound text NOT NULL DEFAULT 'send',
    -- Opt-out words of this workspace, as a JSON array.
    opt_out_words text NOT NULL DEFAULT '[]',
    deleted_at timestamptz,
    -- A deleted workspace can be restored until then. Afterwards its rows are erased.
    erase_at timestamptz,
    -- Whether a reply of a member assigns an unassigned conversation to the member.
    assign_on_reply boolean NOT NULL DEFAULT true,
    -- The country of phone numbers without a country code: ISO 3166-1 alpha-2.
    default_country text
);
CREATE UNIQUE INDEX workspaces_live_workspace_key ON workspaces (live_workspace_id);
CREATE INDEX workspaces_deleted_idx ON workspaces (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX workspaces_held_idx ON workspaces (id) WHERE outbound = 'hold';

-- An API key is stored as a digest.
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
    revoked_at timestamptz,
    last_used_at timestamptz,
    last_used_address text,
    version bigint NOT NULL DEFAULT 1,
    updated_at timestamptz,
    -- The first key of a line of rotated keys, which share idempotency records. Null: the ID of the key.
    lineage uuid
);
CREATE UNIQUE INDEX api_keys_digest_key ON api_keys (digest);
CREATE INDEX api_keys_workspace_idx ON api_keys (workspace_id, created_at);

-- Processes keep the listeners to events and the catalog of a workspace (tags, custom fields, channels, active flows, opt-out key) in
-- memory. A commit compares their revisions, which triggers raise (14_triggers.sql).
CREATE TABLE listener_revisions (
    workspace_id uuid PRIMARY KEY,
    revision bigint NOT NULL,
    catalog bigint NOT NULL DEFAULT 0
);

-- Clocks of sandboxes that were moved ahead, and the process that moves one at present.
CREATE TABLE sandbox_clocks (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
    ahead_ms bigint NOT NULL,
    holder uuid,
    held_until timestamptz
);

-- Bytes of text that each workspace stores. One process counts them every five minutes.
CREATE TABLE stored_text (
    workspace_id uuid PRIMARY KEY,
    contacts bigint NOT NULL,
    messages bigint NOT NULL,
    events bigint NOT NULL,
    deliveries bigint NOT NULL,
    flows bigint NOT NULL,
    measured_at timestamptz NOT NULL,
    idempotency bigint NOT NULL DEFAULT 0
);
CREATE INDEX stored_text_measured ON stored_text (measured_at);

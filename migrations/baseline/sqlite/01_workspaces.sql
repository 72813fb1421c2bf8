-- The schema of release 0.5.0. An empty database gets it from the files of this folder in place of all migrations up to
-- 2026-12-28-006000, in one transaction.
--
-- IDs are blobs of 16 bytes, instants are microseconds since 1970, and truth values are 0 and 1. workspace_id is the first column
-- of every key of workspace data. JSON is stored as text and read back byte for byte.
--
-- Each query has one index to use, even without statistics:
-- * An index begins with the column that only its query names, and contains only rows with a value in that column. So the planner
--   cannot use it for a query that does not name the column.
-- * An index of a whole workspace (_list) begins with workspace_id.
-- * All other rows are read by workspace_id and id: the primary key.

-- Workspaces and their API keys.

-- A sandbox has live_workspace_id, the workspace that it belongs to.
CREATE TABLE workspaces (
    id blob NOT NULL PRIMARY KEY,
    name text NOT NULL,
    plan text NOT NULL,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    time_zone text NOT NULL DEFAULT 'UTC',
    live_workspace_id blob REFERENCES workspaces (id),
    -- `send`, or `hold`: messages and deliveries are paused.
    outbound text NOT NULL DEFAULT 'send',
    -- Opt-out words of this workspace, as a JSON array.
    opt_out_words text NOT NULL DEFAULT '[]',
    deleted_at integer,
    -- A deleted workspace can be restored until then. Afterwards its rows are erased.
    erase_at integer,
    -- Whether a reply of a member assigns an unassigned conversation to the member.
    assign_on_reply integer NOT NULL DEFAULT 1,
    -- The country of phone numbers without a country code: ISO 3166-1 alpha-2.
    default_country text
) STRICT;
CREATE UNIQUE INDEX workspaces_live_workspace_key ON workspaces (live_workspace_id);
CREATE INDEX workspaces_deleted_idx ON workspaces (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX workspaces_held_idx ON workspaces (id) WHERE outbound = 'hold';

-- An API key is stored as a digest.
CREATE TABLE api_keys (
    id blob NOT NULL PRIMARY KEY,
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    name text NOT NULL,
    scope text NOT NULL,
    digest blob NOT NULL,
    prefix text NOT NULL,
    last_four text NOT NULL,
    created_at integer NOT NULL,
    expires_at integer,
    revoked_at integer,
    last_used_at integer,
    last_used_address text,
    version integer NOT NULL DEFAULT 1,
    updated_at integer,
    -- The first key of a line of rotated keys, which share idempotency records. Null: the ID of the key.
    lineage blob
) STRICT;
CREATE UNIQUE INDEX api_keys_digest_key ON api_keys (digest);
CREATE INDEX api_keys_workspace_idx ON api_keys (workspace_id, created_at);

-- Processes keep the listeners to events and the catalog of a workspace (tags, custom fields, channels, active flows, opt-out key) in
-- memory. A commit compares their revisions, which triggers raise (14_triggers.sql).
CREATE TABLE listener_revisions (
    workspace_id blob NOT NULL PRIMARY KEY,
    revision integer NOT NULL,
    catalog integer NOT NULL DEFAULT 0
);

-- Clocks of sandboxes that were moved ahead, and the process that moves one at present.
CREATE TABLE sandbox_clocks (
    workspace_id blob NOT NULL PRIMARY KEY REFERENCES workspaces (id),
    ahead_ms integer NOT NULL,
    holder blob,
    held_until integer
) STRICT;

-- Bytes of text that each workspace stores. One process counts them every five minutes.
CREATE TABLE stored_text (
    workspace_id blob NOT NULL PRIMARY KEY,
    contacts integer NOT NULL,
    messages integer NOT NULL,
    events integer NOT NULL,
    deliveries integer NOT NULL,
    flows integer NOT NULL,
    measured_at integer NOT NULL,
    idempotency integer NOT NULL DEFAULT 0
);
CREATE INDEX stored_text_measured ON stored_text (measured_at);

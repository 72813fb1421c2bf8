-- Locks: SHARE ROW EXCLUSIVE of channels, workspaces
-- Writers: wait_shortly
--
-- Opt-outs of contacts that no longer exist, as digests of their identifiers, under an encrypted key of the workspace.
-- The revision rises with each new digest.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

CREATE TABLE IF NOT EXISTS opt_out_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    sealed bytea NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id)
);

CREATE TABLE IF NOT EXISTS opt_outs (
    workspace_id uuid NOT NULL,
    digest bytea NOT NULL,
    channel_id uuid,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, digest),
    FOREIGN KEY (workspace_id) REFERENCES opt_out_keys (workspace_id),
    FOREIGN KEY (workspace_id, channel_id) REFERENCES channels (workspace_id, id)
);
CREATE INDEX IF NOT EXISTS opt_outs_channel_idx ON opt_outs (channel_id, workspace_id) WHERE channel_id IS NOT NULL;

-- Processes keep the key in memory with the catalog.
CREATE OR REPLACE TRIGGER opt_out_keys_in_catalog AFTER INSERT OR DELETE OR UPDATE OF sealed ON opt_out_keys
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();

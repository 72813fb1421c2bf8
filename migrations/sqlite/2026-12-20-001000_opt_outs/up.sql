-- Opt-outs of contacts that no longer exist, as digests of their identifiers, under an encrypted key of the workspace.
-- The revision rises with each new digest.
CREATE TABLE opt_out_keys (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    sealed blob NOT NULL,
    revision integer NOT NULL,
    created_at integer NOT NULL,
    PRIMARY KEY (workspace_id)
) STRICT;
CREATE TABLE opt_outs (
    workspace_id blob NOT NULL,
    digest blob NOT NULL,
    channel_id blob,
    at integer NOT NULL,
    PRIMARY KEY (workspace_id, digest),
    FOREIGN KEY (workspace_id) REFERENCES opt_out_keys (workspace_id),
    FOREIGN KEY (workspace_id, channel_id) REFERENCES channels (workspace_id, id)
) STRICT;
CREATE INDEX opt_outs_channel_idx ON opt_outs (channel_id, workspace_id) WHERE channel_id IS NOT NULL;
-- Processes keep the key in memory with the catalog.
CREATE TRIGGER opt_out_keys_in_catalog_insert AFTER INSERT ON opt_out_keys BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER opt_out_keys_in_catalog_delete AFTER DELETE ON opt_out_keys BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (OLD.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER opt_out_keys_in_catalog_update AFTER UPDATE OF sealed ON opt_out_keys BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

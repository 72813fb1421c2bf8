-- Functions and triggers.

-- Raise the revision of the listeners of a workspace.
CREATE TRIGGER flow_awaits_listen_delete AFTER DELETE ON flow_awaits BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (OLD.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;
CREATE TRIGGER flow_awaits_listen_insert AFTER INSERT ON flow_awaits BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;
CREATE TRIGGER flow_awaits_listen_update AFTER UPDATE ON flow_awaits BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;
CREATE TRIGGER flow_triggers_listen_delete AFTER DELETE ON flow_triggers BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (OLD.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;
CREATE TRIGGER flow_triggers_listen_insert AFTER INSERT ON flow_triggers BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;
CREATE TRIGGER flow_triggers_listen_update AFTER UPDATE ON flow_triggers BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;
CREATE TRIGGER sequences_listen_delete AFTER DELETE ON sequences BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (OLD.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;
CREATE TRIGGER sequences_listen_insert AFTER INSERT ON sequences BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;
CREATE TRIGGER sequences_listen_update AFTER UPDATE OF deleted_at ON sequences BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;
CREATE TRIGGER webhooks_listen_delete AFTER DELETE ON webhooks BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (OLD.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;
CREATE TRIGGER webhooks_listen_insert AFTER INSERT ON webhooks BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;
CREATE TRIGGER webhooks_listen_update AFTER UPDATE OF events, status ON webhooks BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

-- Raise the revision of the catalog of a workspace.
CREATE TRIGGER channels_in_catalog_delete AFTER DELETE ON channels BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (OLD.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER channels_in_catalog_insert AFTER INSERT ON channels BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER channels_in_catalog_update AFTER UPDATE ON channels BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER custom_fields_in_catalog_delete AFTER DELETE ON custom_fields BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (OLD.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER custom_fields_in_catalog_insert AFTER INSERT ON custom_fields BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER custom_fields_in_catalog_update AFTER UPDATE ON custom_fields BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER flows_in_catalog_delete AFTER DELETE ON flows BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (OLD.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER flows_in_catalog_insert AFTER INSERT ON flows BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER flows_in_catalog_update AFTER UPDATE ON flows BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER opt_out_keys_in_catalog_delete AFTER DELETE ON opt_out_keys BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (OLD.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER opt_out_keys_in_catalog_insert AFTER INSERT ON opt_out_keys BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER opt_out_keys_in_catalog_update AFTER UPDATE OF sealed ON opt_out_keys BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER tags_in_catalog_delete AFTER DELETE ON tags BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (OLD.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER tags_in_catalog_insert AFTER INSERT ON tags BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;
CREATE TRIGGER tags_in_catalog_update AFTER UPDATE ON tags BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

-- Assign the next position of the feed to a new event.
CREATE TRIGGER events_numbered AFTER INSERT ON events BEGIN
    INSERT INTO feed_heads (workspace_id, position) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET position = feed_heads.position + 1;
    INSERT INTO event_positions (workspace_id, position, event_id, at)
    SELECT NEW.workspace_id, h.position, NEW.id, NEW.at FROM feed_heads h WHERE h.workspace_id = NEW.workspace_id;
END;

-- Processes keep the tags, custom fields, channels and active flows of a workspace in memory. A commit that depends on
-- them compares their revision. Triggers raise it, so writes of earlier releases raise it too.
ALTER TABLE listener_revisions ADD COLUMN catalog integer NOT NULL DEFAULT 0;

CREATE TRIGGER tags_in_catalog_insert AFTER INSERT ON tags BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

CREATE TRIGGER tags_in_catalog_delete AFTER DELETE ON tags BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (OLD.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

CREATE TRIGGER tags_in_catalog_update AFTER UPDATE ON tags BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

CREATE TRIGGER custom_fields_in_catalog_insert AFTER INSERT ON custom_fields BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

CREATE TRIGGER custom_fields_in_catalog_delete AFTER DELETE ON custom_fields BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (OLD.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

CREATE TRIGGER custom_fields_in_catalog_update AFTER UPDATE ON custom_fields BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

CREATE TRIGGER channels_in_catalog_insert AFTER INSERT ON channels BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

CREATE TRIGGER channels_in_catalog_delete AFTER DELETE ON channels BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (OLD.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

CREATE TRIGGER channels_in_catalog_update AFTER UPDATE ON channels BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

CREATE TRIGGER flows_in_catalog_insert AFTER INSERT ON flows BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

CREATE TRIGGER flows_in_catalog_delete AFTER DELETE ON flows BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (OLD.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

CREATE TRIGGER flows_in_catalog_update AFTER UPDATE ON flows BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog) VALUES (NEW.workspace_id, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
END;

-- Functions and triggers.

-- Raise the revision of the listeners of a workspace.
CREATE FUNCTION raise_listener_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO listener_revisions (workspace_id, revision)
    VALUES (CASE TG_OP WHEN 'DELETE' THEN OLD.workspace_id ELSE NEW.workspace_id END, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
    RETURN NULL;
END
$$;
CREATE TRIGGER flow_awaits_listen AFTER INSERT OR DELETE OR UPDATE ON flow_awaits
    FOR EACH ROW EXECUTE FUNCTION raise_listener_revision();
CREATE TRIGGER flow_triggers_listen AFTER INSERT OR DELETE OR UPDATE ON flow_triggers
    FOR EACH ROW EXECUTE FUNCTION raise_listener_revision();
CREATE TRIGGER sequences_listen AFTER INSERT OR DELETE OR UPDATE OF deleted_at ON sequences
    FOR EACH ROW EXECUTE FUNCTION raise_listener_revision();
CREATE TRIGGER webhooks_listen AFTER INSERT OR DELETE OR UPDATE OF events, status ON webhooks
    FOR EACH ROW EXECUTE FUNCTION raise_listener_revision();

-- Raise the revision of the catalog of a workspace.
CREATE FUNCTION raise_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog)
    VALUES (CASE TG_OP WHEN 'DELETE' THEN OLD.workspace_id ELSE NEW.workspace_id END, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
    RETURN NULL;
END
$$;
CREATE TRIGGER channels_in_catalog AFTER INSERT OR DELETE OR UPDATE ON channels
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();
CREATE TRIGGER custom_fields_in_catalog AFTER INSERT OR DELETE OR UPDATE ON custom_fields
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();
CREATE TRIGGER flows_in_catalog AFTER INSERT OR DELETE OR UPDATE ON flows
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();
CREATE TRIGGER opt_out_keys_in_catalog AFTER INSERT OR DELETE OR UPDATE OF sealed ON opt_out_keys
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();
CREATE TRIGGER tags_in_catalog AFTER INSERT OR DELETE OR UPDATE ON tags
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();

-- Add new events to the outbox of the sequencer.
CREATE FUNCTION note_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event_outbox (recorded_at, event_id, workspace_id, at)
    SELECT recorded_at, id, workspace_id, at FROM written;
    RETURN NULL;
END
$$;
CREATE TRIGGER events_in_outbox AFTER INSERT ON events REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_events();

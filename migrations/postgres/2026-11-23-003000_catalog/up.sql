-- The tags, custom fields, channels and active flows of a workspace are held in memory; a commit that was decided by them compares their
-- revision. Triggers raise it, so that releases before this one do so, too.
ALTER TABLE listener_revisions ADD COLUMN catalog bigint NOT NULL DEFAULT 0;

CREATE FUNCTION raise_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog)
    VALUES (CASE TG_OP WHEN 'DELETE' THEN OLD.workspace_id ELSE NEW.workspace_id END, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
    RETURN NULL;
END
$$;

CREATE TRIGGER tags_in_catalog AFTER INSERT OR DELETE OR UPDATE ON tags
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();
CREATE TRIGGER custom_fields_in_catalog AFTER INSERT OR DELETE OR UPDATE ON custom_fields
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();
CREATE TRIGGER channels_in_catalog AFTER INSERT OR DELETE OR UPDATE ON channels
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();
CREATE TRIGGER flows_in_catalog AFTER INSERT OR DELETE OR UPDATE ON flows
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();

-- Locks: ACCESS EXCLUSIVE of listener_revisions
-- Locks: SHARE ROW EXCLUSIVE of channels, custom_fields, flows, tags
-- Writers: wait_shortly
--
-- Processes keep the tags, custom fields, channels and active flows of a workspace in memory. A commit that depends on
-- them compares their revision. Triggers raise it, so writes of earlier releases raise it too.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated. Creating a trigger blocks
-- writers of its table; in separate steps, no table stays locked while another one waits.

ALTER TABLE listener_revisions ADD COLUMN IF NOT EXISTS catalog bigint NOT NULL DEFAULT 0;
CREATE OR REPLACE FUNCTION raise_catalog_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO listener_revisions (workspace_id, revision, catalog)
    VALUES (CASE TG_OP WHEN 'DELETE' THEN OLD.workspace_id ELSE NEW.workspace_id END, 0, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET catalog = listener_revisions.catalog + 1;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER tags_in_catalog AFTER INSERT OR DELETE OR UPDATE ON tags
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();

CREATE OR REPLACE TRIGGER custom_fields_in_catalog AFTER INSERT OR DELETE OR UPDATE ON custom_fields
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();

CREATE OR REPLACE TRIGGER channels_in_catalog AFTER INSERT OR DELETE OR UPDATE ON channels
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();

CREATE OR REPLACE TRIGGER flows_in_catalog AFTER INSERT OR DELETE OR UPDATE ON flows
    FOR EACH ROW EXECUTE FUNCTION raise_catalog_revision();

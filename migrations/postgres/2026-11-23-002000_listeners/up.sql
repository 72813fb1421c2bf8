-- Locks: SHARE ROW EXCLUSIVE of flow_triggers, sequences, webhooks
-- Writers: wait_shortly
--
-- Processes keep the listeners to the events of a workspace in memory. A commit compares their revision. Triggers raise
-- it, so writes of earlier releases raise it too.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated. Creating a trigger blocks
-- writers of its table; in separate steps, no table stays locked while another one waits.

CREATE TABLE IF NOT EXISTS listener_revisions (
    workspace_id uuid PRIMARY KEY,
    revision bigint NOT NULL
);
CREATE OR REPLACE FUNCTION raise_listener_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO listener_revisions (workspace_id, revision)
    VALUES (CASE TG_OP WHEN 'DELETE' THEN OLD.workspace_id ELSE NEW.workspace_id END, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER webhooks_listen AFTER INSERT OR DELETE OR UPDATE OF events, status ON webhooks
    FOR EACH ROW EXECUTE FUNCTION raise_listener_revision();

CREATE OR REPLACE TRIGGER flow_triggers_listen AFTER INSERT OR DELETE OR UPDATE ON flow_triggers
    FOR EACH ROW EXECUTE FUNCTION raise_listener_revision();

CREATE OR REPLACE TRIGGER sequences_listen AFTER INSERT OR DELETE OR UPDATE OF deleted_at ON sequences
    FOR EACH ROW EXECUTE FUNCTION raise_listener_revision();

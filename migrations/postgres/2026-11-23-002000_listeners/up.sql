-- Locks: SHARE ROW EXCLUSIVE of flow_triggers, sequences, webhooks
-- Writers: wait_shortly
--
-- Who listens to the events of a workspace is held in memory; a commit compares its revision. Triggers raise it, so that
-- releases before this one do so, too.
--
-- The steps stand apart by empty lines; each is a transaction of its own, and all may be done once more: a trigger keeps
-- writers from its table while it is made, and no table waits for another one.

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

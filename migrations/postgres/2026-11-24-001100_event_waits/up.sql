-- Locks: ACCESS EXCLUSIVE of flow_runs
-- Locks: SHARE ROW EXCLUSIVE of flows
-- Locks: SHARE UPDATE EXCLUSIVE of flow_runs
-- Writers: wait_shortly
--
-- Runs wait for events of their contact. flow_awaits contains the events that runs of published versions can wait for.
-- Its changes raise the revision of the listeners.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

CREATE TABLE IF NOT EXISTS flow_awaits (
    workspace_id uuid NOT NULL,
    flow_id uuid NOT NULL,
    event text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, event),
    FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
);
CREATE OR REPLACE TRIGGER flow_awaits_listen AFTER INSERT OR DELETE OR UPDATE ON flow_awaits
    FOR EACH ROW EXECUTE FUNCTION raise_listener_revision();

ALTER TABLE flow_runs ADD COLUMN IF NOT EXISTS wait_event text;
ALTER TABLE flow_runs ADD COLUMN IF NOT EXISTS wait_details text;

CREATE INDEX CONCURRENTLY flow_runs_awaiting_event_idx ON flow_runs (contact_id, wait_event)
    WHERE wait_kind = 'event';

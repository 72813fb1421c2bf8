-- Runs wait for events of their contact. flow_awaits contains the events that runs of published versions can wait for.
-- Its changes raise the revision of the listeners.
CREATE TABLE flow_awaits (
    workspace_id blob NOT NULL,
    flow_id blob NOT NULL,
    event text NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, event),
    FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
);

CREATE TRIGGER flow_awaits_listen_insert AFTER INSERT ON flow_awaits BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

CREATE TRIGGER flow_awaits_listen_delete AFTER DELETE ON flow_awaits BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (OLD.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

CREATE TRIGGER flow_awaits_listen_update AFTER UPDATE ON flow_awaits BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

ALTER TABLE flow_runs ADD COLUMN wait_event text;
ALTER TABLE flow_runs ADD COLUMN wait_details text;
CREATE INDEX flow_runs_awaiting_event_idx ON flow_runs (contact_id, wait_event) WHERE wait_kind = 'event';

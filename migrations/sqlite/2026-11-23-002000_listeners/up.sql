-- Processes keep the listeners to the events of a workspace in memory. A commit compares their revision. Triggers raise
-- it, so writes of earlier releases raise it too.
CREATE TABLE listener_revisions (
    workspace_id blob NOT NULL PRIMARY KEY,
    revision integer NOT NULL
);

CREATE TRIGGER webhooks_listen_insert AFTER INSERT ON webhooks BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

CREATE TRIGGER webhooks_listen_delete AFTER DELETE ON webhooks BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (OLD.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

CREATE TRIGGER webhooks_listen_update AFTER UPDATE OF events, status ON webhooks BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

CREATE TRIGGER flow_triggers_listen_insert AFTER INSERT ON flow_triggers BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

CREATE TRIGGER flow_triggers_listen_delete AFTER DELETE ON flow_triggers BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (OLD.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

CREATE TRIGGER flow_triggers_listen_update AFTER UPDATE ON flow_triggers BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

CREATE TRIGGER sequences_listen_insert AFTER INSERT ON sequences BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

CREATE TRIGGER sequences_listen_delete AFTER DELETE ON sequences BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (OLD.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

CREATE TRIGGER sequences_listen_update AFTER UPDATE OF deleted_at ON sequences BEGIN
    INSERT INTO listener_revisions (workspace_id, revision) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET revision = listener_revisions.revision + 1;
END;

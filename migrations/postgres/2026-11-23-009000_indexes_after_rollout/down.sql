CREATE OR REPLACE FUNCTION call_for_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.status <> 'active' THEN RETURN NULL; END IF;
    END IF;
    UPDATE deliveries SET queue = CASE WHEN attempts > round_start THEN 2 ELSE 1 END, next_attempt_at = now()
    WHERE queue = 3 AND queued_for = OLD.id;
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER webhooks_call_for_deliveries AFTER UPDATE OF status OR DELETE ON webhooks
    FOR EACH ROW EXECUTE FUNCTION call_for_deliveries();
CREATE INDEX events_unnumbered_idx ON events (recorded_at, id) WHERE position IS NULL;
CREATE INDEX enrollments_sequence_idx ON enrollments (workspace_id, sequence_id, started_at, id);
CREATE INDEX sequences_created_idx ON sequences (workspace_id, created_at, id);
CREATE INDEX flow_runs_started_idx ON flow_runs (workspace_id, started_at, id);
CREATE INDEX flow_runs_flow_idx ON flow_runs (workspace_id, flow_id, started_at, id);
CREATE INDEX flows_created_idx ON flows (workspace_id, created_at, id);
CREATE INDEX conversations_created_idx ON conversations (workspace_id, created_at, id);
CREATE INDEX channels_created_idx ON channels (workspace_id, created_at, id);
CREATE INDEX tags_created_idx ON tags (workspace_id, created_at, id);
CREATE INDEX contacts_name_idx ON contacts (workspace_id, name_key, id)
    WHERE deleted_at IS NULL;
CREATE INDEX contacts_last_message_idx ON contacts (workspace_id, last_message_at, id)
    WHERE deleted_at IS NULL;
CREATE INDEX contacts_updated_idx ON contacts (workspace_id, updated_at, id)
    WHERE deleted_at IS NULL;
CREATE INDEX contacts_created_idx ON contacts (workspace_id, created_at, id)
    WHERE deleted_at IS NULL;

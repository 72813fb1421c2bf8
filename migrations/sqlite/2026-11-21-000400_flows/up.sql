ALTER TABLE flows ADD COLUMN deleted_at integer;

-- Triggers of the published version. Events and keywords find their flows here; the definition of the version stays
-- authoritative.
CREATE TABLE flow_triggers (
    workspace_id blob NOT NULL,
    flow_id blob NOT NULL,
    place integer NOT NULL,
    kind text NOT NULL,
    word text NOT NULL,
    definition text NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, place),
    FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
) STRICT;
CREATE INDEX flow_triggers_word_idx ON flow_triggers (workspace_id, kind, word);

ALTER TABLE flow_runs ADD COLUMN channel_id blob;
ALTER TABLE flow_runs ADD COLUMN wait_kind text;
ALTER TABLE flow_runs ADD COLUMN wait_attempt integer NOT NULL DEFAULT 0;
ALTER TABLE flow_runs ADD COLUMN cause_id blob;
ALTER TABLE flow_runs ADD COLUMN depth integer NOT NULL DEFAULT 1;
ALTER TABLE flow_runs ADD COLUMN event text;
UPDATE flow_runs SET wait_kind = 'until' WHERE wait_until IS NOT NULL;
CREATE UNIQUE INDEX flow_runs_cause_key ON flow_runs (workspace_id, cause_id, flow_id) WHERE cause_id IS NOT NULL;
CREATE INDEX flow_runs_reply_idx ON flow_runs (workspace_id, contact_id) WHERE wait_kind = 'reply';
CREATE INDEX flow_runs_started_idx ON flow_runs (workspace_id, started_at, id);
CREATE INDEX flow_runs_flow_idx ON flow_runs (workspace_id, flow_id, started_at, id);

ALTER TABLE workspaces ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';

CREATE TABLE sequences (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    id blob NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    steps text NOT NULL,
    exit_on text NOT NULL,
    exit_when text,
    reenroll text NOT NULL,
    time_zone text NOT NULL,
    revision integer NOT NULL,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    deleted_at integer,
    version integer NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX sequences_created_idx ON sequences (workspace_id, created_at, id);

CREATE TABLE enrollments (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    sequence_id blob NOT NULL,
    contact_id blob NOT NULL,
    number integer NOT NULL,
    status text NOT NULL,
    step text,
    next_run_at integer,
    steps_done text NOT NULL,
    exit_reason text,
    error text,
    visit integer NOT NULL,
    revision integer NOT NULL,
    enrolled_by_kind text NOT NULL,
    enrolled_by_id text,
    started_at integer NOT NULL,
    ended_at integer,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
) STRICT;
-- A contact has at most one live enrollment in a sequence. `number` counts its enrollments.
CREATE UNIQUE INDEX enrollments_live_key ON enrollments (workspace_id, sequence_id, contact_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX enrollments_number_key ON enrollments (workspace_id, sequence_id, contact_id, number);
CREATE INDEX enrollments_sequence_idx ON enrollments (workspace_id, sequence_id, started_at, id);
CREATE INDEX enrollments_contact_idx ON enrollments (workspace_id, contact_id, started_at, id);
-- After a change of a sequence, finds its live enrollments with an older revision.
CREATE INDEX enrollments_revision_idx ON enrollments (workspace_id, sequence_id, revision) WHERE ended_at IS NULL;

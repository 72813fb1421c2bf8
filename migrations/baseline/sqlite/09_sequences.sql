-- Sequences and their enrollments.

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
    -- As in segments.
    bindings text,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX sequences_created_list ON sequences (workspace_id, created_at, id);

-- A contact has at most one live enrollment in a sequence. `number` counts its enrollments.
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
CREATE UNIQUE INDEX enrollments_live_key ON enrollments (sequence_id, contact_id, workspace_id)
    WHERE sequence_id IS NOT NULL AND ended_at IS NULL;
CREATE UNIQUE INDEX enrollments_number_key ON enrollments (contact_id, sequence_id, number, workspace_id)
    WHERE contact_id IS NOT NULL;
CREATE INDEX enrollments_of_contact_idx ON enrollments (contact_id, started_at, id) WHERE contact_id IS NOT NULL;
CREATE INDEX enrollments_of_sequence_idx ON enrollments (sequence_id, started_at, id) WHERE sequence_id IS NOT NULL;
CREATE INDEX enrollments_outdated_idx ON enrollments (sequence_id, revision, id)
    WHERE sequence_id IS NOT NULL AND ended_at IS NULL;

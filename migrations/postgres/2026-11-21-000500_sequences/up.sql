-- Locks: ACCESS EXCLUSIVE of workspaces
-- Locks: SHARE ROW EXCLUSIVE of contacts, workspaces
-- Writers: wait_shortly

ALTER TABLE workspaces ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC';

CREATE TABLE sequences (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    steps text NOT NULL,
    exit_on text NOT NULL,
    exit_when text,
    reenroll text NOT NULL,
    time_zone text NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX sequences_created_idx ON sequences (workspace_id, created_at, id);

CREATE TABLE enrollments (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    sequence_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    number bigint NOT NULL,
    status text NOT NULL,
    step text,
    next_run_at timestamptz,
    steps_done text NOT NULL,
    exit_reason text,
    error text,
    visit bigint NOT NULL,
    revision bigint NOT NULL,
    enrolled_by_kind text NOT NULL,
    enrolled_by_id text,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, sequence_id) REFERENCES sequences (workspace_id, id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);
-- A contact has at most one live enrollment in a sequence. `number` counts its enrollments.
CREATE UNIQUE INDEX enrollments_live_key ON enrollments (workspace_id, sequence_id, contact_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX enrollments_number_key ON enrollments (workspace_id, sequence_id, contact_id, number);
CREATE INDEX enrollments_sequence_idx ON enrollments (workspace_id, sequence_id, started_at, id);
CREATE INDEX enrollments_contact_idx ON enrollments (workspace_id, contact_id, started_at, id);
-- After a change of a sequence, finds its live enrollments with an older revision.
CREATE INDEX enrollments_revision_idx ON enrollments (workspace_id, sequence_id, revision) WHERE ended_at IS NULL;

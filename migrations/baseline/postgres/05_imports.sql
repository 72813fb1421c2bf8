-- Imports of contacts and bulk operations on contacts.

CREATE TABLE imports (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    existing text NOT NULL,
    head text NOT NULL,
    names text NOT NULL,
    size bigint NOT NULL,
    next_byte bigint NOT NULL,
    next_line bigint NOT NULL,
    status text NOT NULL,
    error text,
    rows bigint NOT NULL,
    created bigint NOT NULL,
    updated bigint NOT NULL,
    kept bigint NOT NULL,
    rejected bigint NOT NULL,
    still_opted_out bigint NOT NULL,
    started_at timestamptz,
    ended_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    -- The identifier that rows name their contacts by: external_id, email or phone. Null: by the rank of the identifiers.
    match_by text,
    -- The encoding, delimiter, targets and formats of the columns. Empty: written by an earlier release.
    reading text NOT NULL DEFAULT '',
    -- Skipped cells that do not fit their columns.
    skipped_cells bigint NOT NULL DEFAULT 0,
    -- The actor that created the import. `system`: written by an earlier release.
    created_by text NOT NULL DEFAULT 'system',
    created_by_id text,
    -- Cells with a local time that a clock change skips or repeats.
    clock_changes bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX imports_created_list ON imports (workspace_id, created_at, id) WHERE updated_at IS NOT NULL;

-- Uploaded tables, in parts. They are deleted when the import ends.
CREATE TABLE import_tables (
    workspace_id uuid NOT NULL,
    import_id uuid NOT NULL,
    part bigint NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (workspace_id, import_id, part)
);

CREATE TABLE import_rejects (
    workspace_id uuid NOT NULL,
    import_id uuid NOT NULL,
    line bigint NOT NULL,
    cells text NOT NULL,
    wrong text NOT NULL,
    external_id text,
    email text,
    phone text,
    PRIMARY KEY (workspace_id, import_id, line)
);
CREATE INDEX import_rejects_email_idx ON import_rejects (email) WHERE email IS NOT NULL;
CREATE INDEX import_rejects_external_id_idx ON import_rejects (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX import_rejects_phone_idx ON import_rejects (phone) WHERE phone IS NOT NULL;

-- One action on all contacts of a filter, done in portions. behind_at and behind_id are the last contact of the last portion.
CREATE TABLE bulk_operations (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    action text NOT NULL,
    tag_id uuid,
    filter text NOT NULL,
    condition text,
    behind_at timestamptz,
    behind_id uuid,
    status text NOT NULL,
    error text,
    matched bigint NOT NULL,
    changed bigint NOT NULL,
    unchanged bigint NOT NULL,
    failed bigint NOT NULL,
    created_by text NOT NULL,
    created_by_id text,
    started_at timestamptz,
    ended_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    -- As in segments.
    bindings text,
    -- The custom field, sequence or flow of the action, and the value that a field gets.
    object_id uuid,
    field_key text,
    value text,
    -- Contacts that the action does not apply to, or that refused it.
    skipped bigint NOT NULL DEFAULT 0,
    still_opted_out bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX bulk_operations_created_list ON bulk_operations (workspace_id, created_at, id)
    WHERE updated_at IS NOT NULL;

-- Imports of contacts and bulk operations on contacts.

CREATE TABLE imports (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    id blob NOT NULL,
    existing text NOT NULL,
    head text NOT NULL,
    names text NOT NULL,
    size integer NOT NULL,
    next_byte integer NOT NULL,
    next_line integer NOT NULL,
    status text NOT NULL,
    error text,
    rows integer NOT NULL,
    created integer NOT NULL,
    updated integer NOT NULL,
    kept integer NOT NULL,
    rejected integer NOT NULL,
    still_opted_out integer NOT NULL,
    started_at integer,
    ended_at integer,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    -- The identifier that rows name their contacts by: external_id, email or phone. Null: by the rank of the identifiers.
    match_by text,
    -- The encoding, delimiter, targets and formats of the columns. Empty: written by an earlier release.
    reading text NOT NULL DEFAULT '',
    -- Skipped cells that do not fit their columns.
    skipped_cells integer NOT NULL DEFAULT 0,
    -- The actor that created the import. `system`: written by an earlier release.
    created_by text NOT NULL DEFAULT 'system',
    created_by_id text,
    -- Cells with a local time that a clock change skips or repeats.
    clock_changes integer NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX imports_created_list ON imports (workspace_id, created_at, id);

-- Uploaded tables, in parts. They are deleted when the import ends.
CREATE TABLE import_tables (
    workspace_id blob NOT NULL,
    import_id blob NOT NULL,
    part integer NOT NULL,
    content blob NOT NULL,
    PRIMARY KEY (workspace_id, import_id, part)
) STRICT;

CREATE TABLE import_rejects (
    workspace_id blob NOT NULL,
    import_id blob NOT NULL,
    line integer NOT NULL,
    cells text NOT NULL,
    wrong text NOT NULL,
    external_id text,
    email text,
    phone text,
    PRIMARY KEY (workspace_id, import_id, line)
) STRICT;
CREATE INDEX import_rejects_email_idx ON import_rejects (email) WHERE email IS NOT NULL;
CREATE INDEX import_rejects_external_id_idx ON import_rejects (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX import_rejects_phone_idx ON import_rejects (phone) WHERE phone IS NOT NULL;

-- One action on all contacts of a filter, done in portions. behind_at and behind_id are the last contact of the last portion.
CREATE TABLE bulk_operations (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    id blob NOT NULL,
    action text NOT NULL,
    tag_id blob,
    filter text NOT NULL,
    condition text,
    behind_at integer,
    behind_id blob,
    status text NOT NULL,
    error text,
    matched integer NOT NULL,
    changed integer NOT NULL,
    unchanged integer NOT NULL,
    failed integer NOT NULL,
    created_by text NOT NULL,
    created_by_id text,
    started_at integer,
    ended_at integer,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    -- As in segments.
    bindings text,
    -- The custom field, sequence or flow of the action, and the value that a field gets.
    object_id blob,
    field_key text,
    value text,
    -- Contacts that the action does not apply to, or that refused it.
    skipped integer NOT NULL DEFAULT 0,
    still_opted_out integer NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX bulk_operations_created_list ON bulk_operations (workspace_id, created_at, id);

-- Locks: SHARE ROW EXCLUSIVE of workspaces
-- Writers: wait_shortly
--
-- Imports of contacts; the uploaded tables, in parts, until the import ends; and the rejected rows.
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
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX imports_created_list ON imports (workspace_id, created_at, id) WHERE updated_at IS NOT NULL;
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
CREATE INDEX import_rejects_external_id_idx ON import_rejects (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX import_rejects_email_idx ON import_rejects (email) WHERE email IS NOT NULL;
CREATE INDEX import_rejects_phone_idx ON import_rejects (phone) WHERE phone IS NOT NULL;

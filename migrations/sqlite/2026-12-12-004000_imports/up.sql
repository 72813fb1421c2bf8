-- Imports of contacts; the uploaded tables, in parts, until the import ends; and the rejected rows.
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
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX imports_created_list ON imports (workspace_id, created_at, id);
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
CREATE INDEX import_rejects_external_id_idx ON import_rejects (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX import_rejects_email_idx ON import_rejects (email) WHERE email IS NOT NULL;
CREATE INDEX import_rejects_phone_idx ON import_rejects (phone) WHERE phone IS NOT NULL;

-- One action on all contacts of a filter, done in portions: adds a tag, removes a tag, or deletes the contacts.
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
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX bulk_operations_created_list ON bulk_operations (workspace_id, created_at, id);

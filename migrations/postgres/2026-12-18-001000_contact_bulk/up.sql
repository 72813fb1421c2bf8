-- Locks: SHARE ROW EXCLUSIVE of workspaces
-- Writers: wait_shortly
--
-- One action on all contacts of a filter, done in portions: adds a tag, removes a tag, or deletes the contacts.
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
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX bulk_operations_created_list ON bulk_operations (workspace_id, created_at, id) WHERE updated_at IS NOT NULL;

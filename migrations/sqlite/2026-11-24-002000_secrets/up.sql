-- Encrypted values that only HTTP requests of flows use.
CREATE TABLE secrets (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    id blob NOT NULL,
    name text NOT NULL,
    sealed blob NOT NULL,
    hosts text NOT NULL,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX secrets_name_key ON secrets (workspace_id, name) WHERE name IS NOT NULL;

-- Locks: SHARE ROW EXCLUSIVE of workspaces
-- Writers: wait_shortly
--
-- Encrypted values that only HTTP requests of flows use.
CREATE TABLE secrets (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    sealed bytea NOT NULL,
    hosts text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX secrets_name_key ON secrets (workspace_id, name) WHERE name IS NOT NULL;

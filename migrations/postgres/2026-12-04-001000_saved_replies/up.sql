-- Locks: SHARE ROW EXCLUSIVE of workspaces
-- Writers: wait_shortly
--
-- Named texts that members insert into their replies.
CREATE TABLE saved_replies (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    text text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX saved_replies_name_key ON saved_replies (workspace_id, name_key) WHERE name_key IS NOT NULL;
CREATE INDEX saved_replies_created_list ON saved_replies (workspace_id, created_at, id) WHERE updated_at IS NOT NULL;

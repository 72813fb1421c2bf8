-- Named texts that members insert into their replies.
CREATE TABLE saved_replies (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    id blob NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    text text NOT NULL,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX saved_replies_name_key ON saved_replies (workspace_id, name_key) WHERE name_key IS NOT NULL;
CREATE INDEX saved_replies_created_list ON saved_replies (workspace_id, created_at, id);

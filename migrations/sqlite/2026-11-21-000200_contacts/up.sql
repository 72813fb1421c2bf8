-- Sort orders and search texts of contacts, and references between objects.
--
-- The program folds the keys, so both databases agree on them. After the migrations it fills in the keys of existing
-- rows.

ALTER TABLE contacts ADD COLUMN name_key text;
ALTER TABLE contacts ADD COLUMN search_text text NOT NULL DEFAULT '';
CREATE INDEX contacts_updated_idx ON contacts (workspace_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_last_message_idx ON contacts (workspace_id, last_message_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_name_idx ON contacts (workspace_id, name_key, id) WHERE deleted_at IS NULL;

-- Without foreign keys, because both sides have several types. If a named object is deleted by force, its row stays
-- with lost_name and lost_at until the owner is changed.
CREATE TABLE object_references (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    owner_kind text NOT NULL,
    owner_id blob NOT NULL,
    target_kind text NOT NULL,
    target_id blob NOT NULL,
    lost_name text,
    lost_at integer,
    PRIMARY KEY (workspace_id, owner_kind, owner_id, target_kind, target_id)
) STRICT;
CREATE INDEX object_references_target_idx ON object_references (workspace_id, target_kind, target_id);

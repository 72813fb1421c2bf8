-- Locks: ACCESS EXCLUSIVE of contacts, tags
-- Locks: SHARE ROW EXCLUSIVE of workspaces
-- Locks: SHARE of contacts, tags
-- Writers: wait
-- Rewrites: tags
--
-- Sort orders and search texts of contacts, and references between objects.
--
-- The program folds the keys, so both databases agree on them. After the migrations it fills in the keys of existing
-- rows.

ALTER TABLE contacts ADD COLUMN name_key text COLLATE "C";
ALTER TABLE contacts ADD COLUMN search_text text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX contacts_updated_idx ON contacts (workspace_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_last_message_idx ON contacts (workspace_id, last_message_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_name_idx ON contacts (workspace_id, name_key, id) WHERE deleted_at IS NULL;

-- Sort keys compare byte by byte.
ALTER TABLE tags ALTER COLUMN name_key TYPE text COLLATE "C";

-- Without foreign keys, because both sides have several types. If a named object is deleted by force, its row stays
-- with lost_name and lost_at until the owner is changed.
CREATE TABLE object_references (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    owner_kind text NOT NULL,
    owner_id uuid NOT NULL,
    target_kind text NOT NULL,
    target_id uuid NOT NULL,
    lost_name text,
    lost_at timestamptz,
    PRIMARY KEY (workspace_id, owner_kind, owner_id, target_kind, target_id)
);
CREATE INDEX object_references_target_idx ON object_references (workspace_id, target_kind, target_id);

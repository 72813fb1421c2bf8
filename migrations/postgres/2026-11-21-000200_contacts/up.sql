-- Lists of contacts by several sorts, a text to search, values in their order, and what names what.
--
-- Keys are folded by the program, so that both databases agree on them: after this the program fills them in for the
-- rows that there are. Until then they are absent, which the small indexes named *_unfolded_idx find.

ALTER TABLE contacts ADD COLUMN name_key text COLLATE "C";
ALTER TABLE contacts ADD COLUMN search_text text COLLATE "C";
CREATE INDEX contacts_updated_idx ON contacts (workspace_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_last_message_idx ON contacts (workspace_id, last_message_at, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_name_idx ON contacts (workspace_id, name_key, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_unfolded_idx ON contacts (workspace_id, id) WHERE search_text IS NULL;

-- What sorts compares byte by byte.
ALTER TABLE tags ALTER COLUMN name_key TYPE text COLLATE "C";

-- Match keys now stand in the order of their values; all of them are made anew.
DROP INDEX contact_values_match_idx;
ALTER TABLE contact_values DROP COLUMN match_key;
ALTER TABLE contact_values ADD COLUMN match_key text COLLATE "C";
CREATE INDEX contact_values_match_idx ON contact_values (workspace_id, field_id, match_key, contact_id);
CREATE INDEX contact_values_unfolded_idx ON contact_values (workspace_id, contact_id, field_id) WHERE match_key IS NULL AND elements IS NULL;

-- Without references to either side: they are of several kinds. What named an object that was deleted by force keeps
-- the row as lost, with the object's last name, until it says anew what it names.
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

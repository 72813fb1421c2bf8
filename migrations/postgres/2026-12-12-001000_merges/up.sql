-- Locks: SHARE ROW EXCLUSIVE of contacts
-- Writers: wait_shortly
--
-- Merged contacts. `into_id` was not merged itself. `moved_at` is set when all data of the contact has moved.
CREATE TABLE contact_merges (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    into_id uuid NOT NULL,
    merged_at timestamptz NOT NULL,
    moved_at timestamptz,
    PRIMARY KEY (workspace_id, contact_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id),
    FOREIGN KEY (workspace_id, into_id) REFERENCES contacts (workspace_id, id)
);
CREATE INDEX contact_merges_into_idx ON contact_merges (into_id, contact_id);

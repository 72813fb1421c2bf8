-- Locks: SHARE ROW EXCLUSIVE of contacts
-- Writers: wait_shortly
--
-- People who are erased: when that was asked for, and when nothing was left of them.
CREATE TABLE contact_erasures (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    requested_at timestamptz NOT NULL,
    erased_at timestamptz,
    PRIMARY KEY (workspace_id, contact_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);

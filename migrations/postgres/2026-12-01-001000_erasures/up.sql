-- Locks: SHARE ROW EXCLUSIVE of contacts
-- Writers: wait_shortly
--
-- Erased contacts: the time of the request, and the time when the last data was erased.
CREATE TABLE contact_erasures (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    requested_at timestamptz NOT NULL,
    erased_at timestamptz,
    PRIMARY KEY (workspace_id, contact_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);

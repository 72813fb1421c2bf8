-- Erased contacts: the time of the request, and the time when the last data was erased.
CREATE TABLE contact_erasures (
    workspace_id blob NOT NULL,
    contact_id blob NOT NULL,
    requested_at integer NOT NULL,
    erased_at integer,
    PRIMARY KEY (workspace_id, contact_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);

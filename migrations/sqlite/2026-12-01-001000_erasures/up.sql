-- People who are erased: when that was asked for, and when nothing was left of them.
CREATE TABLE contact_erasures (
    workspace_id blob NOT NULL,
    contact_id blob NOT NULL,
    requested_at integer NOT NULL,
    erased_at integer,
    PRIMARY KEY (workspace_id, contact_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);

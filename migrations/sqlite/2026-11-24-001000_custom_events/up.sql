-- Events that clients report about contacts. They trigger flows. The feed and webhooks do not contain them.
CREATE TABLE custom_events (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    contact_id blob NOT NULL,
    name text NOT NULL,
    data text NOT NULL,
    at integer NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);
CREATE INDEX custom_events_of_contact_idx ON custom_events (contact_id, at, id);
CREATE INDEX custom_events_at_idx ON custom_events (at);

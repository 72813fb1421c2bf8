-- How much text each workspace has stored, as one process adds it up every five minutes: a row is written that often,
-- whatever happens meanwhile.
CREATE TABLE stored_text (
    workspace_id blob NOT NULL PRIMARY KEY,
    contacts integer NOT NULL,
    messages integer NOT NULL,
    events integer NOT NULL,
    deliveries integer NOT NULL,
    flows integer NOT NULL,
    measured_at integer NOT NULL
);
CREATE INDEX stored_text_measured ON stored_text (measured_at);
INSERT INTO leases (name, holder, expires_at)
VALUES ('stored_text', x'00000000000000000000000000000000', 0);

-- Locks: ROW EXCLUSIVE of leases
-- Writers: go_on
--
-- How much text each workspace has stored, as one process adds it up every five minutes: a row is written that often,
-- whatever happens meanwhile.
CREATE TABLE stored_text (
    workspace_id uuid NOT NULL PRIMARY KEY,
    contacts bigint NOT NULL,
    messages bigint NOT NULL,
    events bigint NOT NULL,
    deliveries bigint NOT NULL,
    flows bigint NOT NULL,
    measured_at timestamptz NOT NULL
);
CREATE INDEX stored_text_measured ON stored_text (measured_at);
INSERT INTO leases (name, holder, expires_at)
VALUES ('stored_text', '00000000-0000-0000-0000-000000000000', 'epoch');

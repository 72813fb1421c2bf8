-- Locks: ROW EXCLUSIVE of leases
-- Writers: go_on
--
-- Text that each workspace stores. One process measures it every five minutes, so the number of writes does not depend
-- on the traffic.
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

-- Text that each workspace stores. One process measures it every five minutes, so the number of writes does not depend
-- on the traffic.
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

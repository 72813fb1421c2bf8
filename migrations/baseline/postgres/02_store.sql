-- Facts about the whole database.

-- Work that one process does at a time, its holder, and the end of its lease.
CREATE TABLE leases (
    name text PRIMARY KEY,
    holder uuid NOT NULL,
    expires_at timestamptz NOT NULL
) WITH (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200
);

-- Named facts: `outbound_hold` pauses outbound traffic, and its value is the reason.
CREATE TABLE store_marks (
    name text PRIMARY KEY,
    value text NOT NULL,
    set_at timestamptz NOT NULL
);

-- A known value, encrypted with the master key. It shows whether a process has the right key.
CREATE TABLE sealed_canary (
    name text PRIMARY KEY,
    sealed bytea NOT NULL
);

-- A row that each process writes every few seconds, to check that the database accepts writes.
CREATE TABLE write_probe (
    name text PRIMARY KEY,
    written_at timestamptz NOT NULL
) WITH (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200
);

-- Leases that exist from the start: their first holder takes them over.
INSERT INTO leases (name, holder, expires_at) VALUES
    ('event_sequencer', '00000000-0000-0000-0000-000000000000', '1970-01-01T00:00:00Z'),
    ('stored_text', '00000000-0000-0000-0000-000000000000', '1970-01-01T00:00:00Z');

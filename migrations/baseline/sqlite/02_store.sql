-- Facts about the whole database.

-- Work that one process does at a time, its holder, and the end of its lease.
CREATE TABLE leases (
    name text NOT NULL PRIMARY KEY,
    holder blob NOT NULL,
    expires_at integer NOT NULL
) STRICT;

-- Named facts: `outbound_hold` pauses outbound traffic, and its value is the reason.
CREATE TABLE store_marks (
    name text NOT NULL PRIMARY KEY,
    value text NOT NULL,
    set_at integer NOT NULL
) STRICT;

-- A known value, encrypted with the master key. It shows whether a process has the right key.
CREATE TABLE sealed_canary (
    name text NOT NULL PRIMARY KEY,
    sealed blob NOT NULL
) STRICT;

-- A row that each process writes every few seconds, to check that the database accepts writes.
CREATE TABLE write_probe (
    name text NOT NULL PRIMARY KEY,
    written_at integer NOT NULL
) STRICT;

-- Leases that exist from the start: their first holder takes them over.
INSERT INTO leases (name, holder, expires_at) VALUES
    ('event_sequencer', x'00000000000000000000000000000000', 0),
    ('stored_text', x'00000000000000000000000000000000', 0);

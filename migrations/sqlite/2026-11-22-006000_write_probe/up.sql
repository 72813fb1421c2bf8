-- A row that each process writes every few seconds, to check that the database accepts writes.

CREATE TABLE write_probe (
    name text PRIMARY KEY,
    written_at integer NOT NULL
) STRICT;

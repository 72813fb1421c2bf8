-- Locks: none
-- Writers: go_on
--
-- One row that each process writes every few seconds: whether the store takes writes.

CREATE TABLE write_probe (
    name text PRIMARY KEY,
    written_at timestamptz NOT NULL
);

-- A known value, encrypted with the master key, which shows whether a process has the right key. The index finds
-- encrypted responses when the master key is replaced.

CREATE TABLE sealed_canary (
    name text PRIMARY KEY,
    sealed blob NOT NULL
) STRICT;

CREATE INDEX idempotency_keys_sealed_idx ON idempotency_keys (workspace_id, method, route, key) WHERE sealed;

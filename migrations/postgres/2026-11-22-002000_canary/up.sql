-- Locks: SHARE of idempotency_keys
-- Writers: wait
--
-- A sealed value by which the store knows its master key, and the way to answers that are kept sealed: both are for
-- replacing the key.

CREATE TABLE sealed_canary (
    name text PRIMARY KEY,
    sealed bytea NOT NULL
);

CREATE INDEX idempotency_keys_sealed_idx ON idempotency_keys (workspace_id, method, route, key) WHERE sealed;

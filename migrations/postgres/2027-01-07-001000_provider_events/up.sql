-- Locks: none
-- Writers: go_on
--
-- Events of providers that were applied: digests of their IDs, for some days. A repeated event has no effect.
CREATE TABLE provider_events (
    workspace_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    digest bytea NOT NULL,
    received_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, channel_id, digest)
);
CREATE INDEX provider_events_received_idx ON provider_events (received_at);

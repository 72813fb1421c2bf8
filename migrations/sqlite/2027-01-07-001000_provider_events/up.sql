-- Events of providers that were applied: digests of their IDs, for some days. A repeated event has no effect.
CREATE TABLE provider_events (
    workspace_id blob NOT NULL,
    channel_id blob NOT NULL,
    digest blob NOT NULL,
    received_at integer NOT NULL,
    PRIMARY KEY (workspace_id, channel_id, digest)
) STRICT;
CREATE INDEX provider_events_received_idx ON provider_events (received_at);

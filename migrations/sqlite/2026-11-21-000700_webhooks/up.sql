ALTER TABLE webhooks ADD COLUMN status text NOT NULL DEFAULT 'active';
ALTER TABLE webhooks ADD COLUMN disabled_reason text;
ALTER TABLE webhooks ADD COLUMN headers text NOT NULL DEFAULT '[]';
ALTER TABLE webhooks ADD COLUMN older_secrets text NOT NULL DEFAULT '[]';
-- Health of the receiver. Attempts write it. Its version is health_version.
ALTER TABLE webhooks ADD COLUMN failures integer NOT NULL DEFAULT 0;
ALTER TABLE webhooks ADD COLUMN failing_since integer;
ALTER TABLE webhooks ADD COLUMN parked_until integer;
ALTER TABLE webhooks ADD COLUMN rests integer NOT NULL DEFAULT 0;
ALTER TABLE webhooks ADD COLUMN last_delivery_at integer;
ALTER TABLE webhooks ADD COLUMN health_version integer NOT NULL DEFAULT 0;

ALTER TABLE deliveries ADD COLUMN round_start integer NOT NULL DEFAULT 0;

-- Attempts by hour, result and duration, for statistics.
CREATE TABLE webhook_counts (
    workspace_id blob NOT NULL,
    webhook_id blob NOT NULL,
    hour integer NOT NULL,
    succeeded integer NOT NULL,
    bucket integer NOT NULL,
    count integer NOT NULL,
    PRIMARY KEY (workspace_id, webhook_id, hour, succeeded, bucket)
) STRICT;
CREATE INDEX webhook_counts_hour_idx ON webhook_counts (hour);

CREATE TABLE webhook_replays (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    webhook_id blob NOT NULL,
    since integer NOT NULL,
    until integer NOT NULL,
    status text NOT NULL,
    after_at integer,
    after_id blob,
    PRIMARY KEY (workspace_id, id)
) STRICT;

-- A parked job is not claimed until its group is released.
ALTER TABLE jobs ADD COLUMN parked integer NOT NULL DEFAULT 0;
CREATE INDEX jobs_parked_idx ON jobs (group_id) WHERE parked;
-- Deliveries are claimed webhook by webhook. Each webhook costs one index lookup, however long its queue is.
CREATE INDEX jobs_turns_idx ON jobs (kind, group_id, due_at)
    WHERE pool = 'deliveries' AND dead_at IS NULL AND NOT parked;
CREATE INDEX jobs_poison_idx ON jobs (pool, due_at) WHERE claims >= 5 AND dead_at IS NULL;

-- Events get their positions after their commit, in the order of their rows.
ALTER TABLE events ADD COLUMN recorded_at integer NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN position integer;
CREATE UNIQUE INDEX events_position_key ON events (workspace_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_unnumbered_idx ON events (recorded_at, id) WHERE position IS NULL;
CREATE INDEX events_at_idx ON events (at);

CREATE TABLE event_heads (
    workspace_id blob PRIMARY KEY REFERENCES workspaces (id),
    position integer NOT NULL
) STRICT;

-- Work that one process does at a time, its holder, and the end of its lease.
CREATE TABLE leases (
    name text PRIMARY KEY,
    holder blob NOT NULL,
    expires_at integer NOT NULL
) STRICT;
INSERT INTO leases (name, holder, expires_at)
VALUES ('event_sequencer', x'00000000000000000000000000000000', 0);

-- Locks: SHARE ROW EXCLUSIVE of events
-- Locks: SHARE UPDATE EXCLUSIVE of events
-- Writers: wait_shortly
--
-- Events are never changed, so their positions are in a separate, narrow table. event_outbox contains events without a
-- position. A trigger fills it, so events of earlier releases are in it too. Events with a position keep it in their
-- own row. New positions continue in feed_heads, not in event_heads: earlier releases read event_heads, and would
-- otherwise skip events with positions that they cannot see.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

CREATE TABLE IF NOT EXISTS event_positions (
    workspace_id uuid NOT NULL,
    position bigint NOT NULL,
    event_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, position)
);
CREATE INDEX IF NOT EXISTS event_positions_at_idx ON event_positions (at);
CREATE TABLE IF NOT EXISTS event_outbox (
    recorded_at timestamptz NOT NULL,
    event_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (recorded_at, event_id)
) WITH (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2147483647, vacuum_truncate = off
);
CREATE TABLE IF NOT EXISTS feed_heads (
    workspace_id uuid PRIMARY KEY,
    position bigint NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);
CREATE OR REPLACE FUNCTION note_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO event_outbox (recorded_at, event_id, workspace_id, at)
    SELECT recorded_at, id, workspace_id, at FROM written;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER events_in_outbox AFTER INSERT ON events REFERENCING NEW TABLE AS written
    FOR EACH STATEMENT EXECUTE FUNCTION note_events();

-- Adds events that were written before the trigger existed. Clients can write in the meantime: only the new rows are
-- locked.
INSERT INTO event_outbox (recorded_at, event_id, workspace_id, at)
SELECT recorded_at, id, workspace_id, at FROM events WHERE position IS NULL ON CONFLICT (recorded_at, event_id) DO NOTHING;

INSERT INTO feed_heads (workspace_id, position) SELECT workspace_id, position FROM event_heads
ON CONFLICT (workspace_id) DO NOTHING;

CREATE INDEX CONCURRENTLY events_numbered_at_idx ON events (at) WHERE position IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS events_at_idx;

ALTER TABLE events SET (fillfactor = 100);

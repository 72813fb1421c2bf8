-- Locks: SHARE ROW EXCLUSIVE of events
-- Locks: SHARE UPDATE EXCLUSIVE of events
-- Writers: wait_shortly
--
-- Events are written once and never changed: their positions stand in a narrow table of their own. What has no position
-- yet is named by an outbox, which a trigger fills, so that releases before this one fill it, too. Events that were
-- numbered before keep their position in their own row; their heads go on in feed_heads, so that releases before this
-- one, which know event_heads, do not pass by what they cannot see.
--
-- The steps stand apart by empty lines; each is a transaction of its own, and all may be done once more.

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

-- What was written before the trigger was there. Writers go on, as nothing is locked but rows that are new.
INSERT INTO event_outbox (recorded_at, event_id, workspace_id, at)
SELECT recorded_at, id, workspace_id, at FROM events WHERE position IS NULL ON CONFLICT (recorded_at, event_id) DO NOTHING;

INSERT INTO feed_heads (workspace_id, position) SELECT workspace_id, position FROM event_heads
ON CONFLICT (workspace_id) DO NOTHING;

CREATE INDEX CONCURRENTLY events_numbered_at_idx ON events (at) WHERE position IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS events_at_idx;

ALTER TABLE events SET (fillfactor = 100);

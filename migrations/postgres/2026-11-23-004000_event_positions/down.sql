DROP TRIGGER IF EXISTS events_in_outbox ON events;
DROP FUNCTION IF EXISTS note_events;
UPDATE events SET position = p.position FROM event_positions p
WHERE events.workspace_id = p.workspace_id AND events.id = p.event_id;
INSERT INTO event_heads (workspace_id, position) SELECT workspace_id, position FROM feed_heads
ON CONFLICT (workspace_id) DO UPDATE SET position = excluded.position;
DROP TABLE IF EXISTS feed_heads;
DROP TABLE IF EXISTS event_outbox;
DROP TABLE IF EXISTS event_positions;
DROP INDEX IF EXISTS events_numbered_at_idx;
CREATE INDEX IF NOT EXISTS events_at_idx ON events (at);
ALTER TABLE events SET (fillfactor = 90);

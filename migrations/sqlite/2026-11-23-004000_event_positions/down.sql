DROP TRIGGER events_numbered;
UPDATE events SET position = (
    SELECT p.position FROM event_positions p WHERE p.workspace_id = events.workspace_id AND p.event_id = events.id
) WHERE position IS NULL;
INSERT INTO event_heads (workspace_id, position) SELECT workspace_id, position FROM feed_heads WHERE true
ON CONFLICT (workspace_id) DO UPDATE SET position = excluded.position;
DROP TABLE feed_heads;
DROP TABLE event_outbox;
DROP TABLE event_positions;
DROP INDEX events_numbered_at_idx;
CREATE INDEX events_at_idx ON events (at);
CREATE INDEX events_unnumbered_idx ON events (recorded_at, id) WHERE position IS NULL;

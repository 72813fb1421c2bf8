-- Events are never changed, so their positions are in a separate, narrow table. SQLite has one writer, so a trigger
-- assigns the position when an event is written. Events with a position keep it in their own row.
CREATE TABLE event_positions (
    workspace_id blob NOT NULL,
    position integer NOT NULL,
    event_id blob NOT NULL,
    at integer NOT NULL,
    PRIMARY KEY (workspace_id, position)
) WITHOUT ROWID;
CREATE INDEX event_positions_at_idx ON event_positions (at);
-- Used only on PostgreSQL, because the order of commits is not known in advance there.
CREATE TABLE event_outbox (
    recorded_at integer NOT NULL,
    event_id blob NOT NULL,
    workspace_id blob NOT NULL,
    at integer NOT NULL,
    PRIMARY KEY (recorded_at, event_id)
) WITHOUT ROWID;
CREATE TABLE feed_heads (
    workspace_id blob NOT NULL PRIMARY KEY,
    position integer NOT NULL
) WITHOUT ROWID;

INSERT INTO feed_heads (workspace_id, position) SELECT workspace_id, position FROM event_heads;
INSERT INTO event_positions (workspace_id, position, event_id, at)
SELECT e.workspace_id,
    coalesce((SELECT h.position FROM feed_heads h WHERE h.workspace_id = e.workspace_id), 0)
    + row_number() OVER (PARTITION BY e.workspace_id ORDER BY e.rowid), e.id, e.at
FROM events e WHERE e.position IS NULL;
INSERT INTO feed_heads (workspace_id, position)
SELECT workspace_id, max(position) FROM event_positions WHERE true GROUP BY workspace_id
ON CONFLICT (workspace_id) DO UPDATE SET position = excluded.position;

CREATE TRIGGER events_numbered AFTER INSERT ON events BEGIN
    INSERT INTO feed_heads (workspace_id, position) VALUES (NEW.workspace_id, 1)
    ON CONFLICT (workspace_id) DO UPDATE SET position = feed_heads.position + 1;
    INSERT INTO event_positions (workspace_id, position, event_id, at)
    SELECT NEW.workspace_id, h.position, NEW.id, NEW.at FROM feed_heads h WHERE h.workspace_id = NEW.workspace_id;
END;

CREATE INDEX events_numbered_at_idx ON events (at) WHERE position IS NOT NULL;
DROP INDEX events_at_idx;
DROP INDEX events_unnumbered_idx;

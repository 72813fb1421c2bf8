-- Locks: ACCESS EXCLUSIVE of api_keys
-- Locks: ROW EXCLUSIVE of api_keys
-- Writers: wait_shortly
-- Rewrites: api_keys
--
-- A rotated key and its successor share idempotency records, which belong to the first key of their line. A rotation
-- creates the successor at the time at which it changes the earlier key; the statement joins such pairs to lines. The
-- earlier release writes no lineage: null means the ID of the key.
ALTER TABLE api_keys ADD COLUMN lineage uuid;

WITH RECURSIVE pairs (earlier, later) AS (
    SELECT earlier.id, later.id FROM api_keys earlier JOIN api_keys later ON later.workspace_id = earlier.workspace_id
    WHERE later.created_at = earlier.updated_at AND later.id <> earlier.id AND later.created_at > earlier.created_at
        AND later.name = earlier.name AND later.scope = earlier.scope
), lines (id, lineage) AS (
    SELECT earlier, earlier FROM pairs WHERE earlier NOT IN (SELECT later FROM pairs)
    UNION SELECT pairs.later, lines.lineage FROM pairs JOIN lines ON lines.id = pairs.earlier
)
UPDATE api_keys SET lineage = (SELECT lines.lineage FROM lines WHERE lines.id = api_keys.id LIMIT 1)
WHERE id IN (SELECT lines.id FROM lines);

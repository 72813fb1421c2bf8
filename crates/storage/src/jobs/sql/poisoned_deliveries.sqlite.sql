UPDATE deliveries
SET token = token + 1, leased_until = ?3
WHERE (workspace_id, id) IN (
    WITH RECURSIVE line (id) AS (
        SELECT (
            SELECT q.queued_for
            FROM deliveries q
            WHERE q.queue = ?1
            ORDER BY q.queued_for
            LIMIT 1
        )
        UNION ALL
        SELECT (
            SELECT q.queued_for
            FROM deliveries q
            WHERE q.queue = ?1
                AND q.queued_for > line.id
            ORDER BY q.queued_for
            LIMIT 1
        )
        FROM line
        WHERE line.id IS NOT NULL
    )
    SELECT f.workspace_id, f.id
    FROM line
        JOIN deliveries f ON f.rowid IN (
            SELECT h.rowid
            FROM deliveries h
            WHERE h.queue = ?1
                AND h.queued_for = line.id
                AND h.next_attempt_at <= ?4
            ORDER BY h.next_attempt_at
            LIMIT 256
        )
    WHERE line.id IS NOT NULL
        AND f.claims >= 5
        AND (f.leased_until IS NULL OR f.leased_until <= ?5)
    LIMIT ?2
)
RETURNING workspace_id, id, webhook_id, event_id, event_kind, attempts, round_start, created_at, updated_at,
    version, token, errors, next_attempt_at

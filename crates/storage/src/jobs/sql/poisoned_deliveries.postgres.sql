WITH RECURSIVE line (id) AS (
    SELECT (
        SELECT q.queued_for
        FROM deliveries q
        WHERE q.queue = $1
        ORDER BY q.queued_for
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT q.queued_for
        FROM deliveries q
        WHERE q.queue = $1
            AND q.queued_for > line.id
        ORDER BY q.queued_for
        LIMIT 1
    )
    FROM line
    WHERE line.id IS NOT NULL
),
poison AS MATERIALIZED (
    SELECT held.place
    FROM line
        CROSS JOIN LATERAL (
            SELECT h.ctid AS place, h.claims, h.leased_until
            FROM deliveries h
            WHERE h.queue = $1
                AND h.queued_for = line.id
                AND h.next_attempt_at <= now()
            ORDER BY h.next_attempt_at
            LIMIT 256
        ) f
        CROSS JOIN LATERAL (
            SELECT j.ctid AS place
            FROM deliveries j
            WHERE j.ctid = f.place
                AND j.claims >= 5
                AND (j.leased_until IS NULL OR j.leased_until <= now())
            FOR NO KEY UPDATE SKIP LOCKED
        ) held
    WHERE line.id IS NOT NULL
        AND f.claims >= 5
        AND (f.leased_until IS NULL OR f.leased_until <= now())
    LIMIT $2
)
UPDATE deliveries
SET token = deliveries.token + 1, leased_until = now() + $3 * interval '1 millisecond'
FROM poison
WHERE deliveries.ctid = poison.place
RETURNING workspace_id, id, webhook_id, event_id, event_kind, attempts, round_start, created_at, updated_at,
    version, token, errors, next_attempt_at

WITH head AS MATERIALIZED (
    SELECT workspace_id, id, due_at, row_number() OVER (PARTITION BY workspace_id ORDER BY due_at, id) AS turn,
        place
    FROM (
        SELECT f.workspace_id, f.id, f.due_at, f.place
        FROM unnest((SELECT $2::uuid[]), (SELECT $7::timestamptz[])) AS line (id, since)
            CROSS JOIN LATERAL (
                SELECT h.workspace_id, h.id, h.next_attempt_at AS due_at, h.ctid AS place
                FROM deliveries h
                WHERE h.queue = $1
                    AND h.queued_for = line.id
                    AND h.next_attempt_at <= now()
                    AND h.next_attempt_at >= least(greatest($6, line.since), now() - interval '2 seconds')
                    AND (h.leased_until IS NULL OR h.leased_until <= now())
                    AND h.claims < 5
                ORDER BY h.next_attempt_at
                LIMIT least(32, $3)
            ) f
    ) g
    WHERE NOT workspace_id = ANY($5)
        AND NOT EXISTS (SELECT 1 FROM store_marks WHERE store_marks.name = 'outbound_hold')
        AND g.workspace_id NOT IN (SELECT w.id FROM workspaces w WHERE w.outbound = 'hold')
    ORDER BY turn, due_at, id
    LIMIT 4 * $3
),
due AS MATERIALIZED (
    SELECT held.place
    FROM head
        CROSS JOIN LATERAL (
            SELECT j.ctid AS place
            FROM deliveries j
            WHERE j.ctid = head.place
                AND j.queue IS NOT DISTINCT FROM $1
                AND j.next_attempt_at <= now()
                AND (j.leased_until IS NULL OR j.leased_until <= now())
            FOR NO KEY UPDATE SKIP LOCKED
        ) held
    LIMIT $3
)
UPDATE deliveries
SET token = deliveries.token + 1, claims = deliveries.claims + 1,
    leased_until = now() + $4 * interval '1 millisecond'
FROM due
WHERE deliveries.ctid = due.place
RETURNING workspace_id, id, webhook_id, event_id, event_kind, attempts, round_start, created_at, updated_at,
    version, token, errors, next_attempt_at

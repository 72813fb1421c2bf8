WITH RECURSIVE queue (group_id) AS (
    SELECT (
        SELECT q.group_id
        FROM jobs q
        WHERE q.kind = $1
            AND q.pool = 'deliveries'
            AND q.dead_at IS NULL
            AND NOT q.parked
            AND q.group_id IS NOT NULL
        ORDER BY q.group_id
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT q.group_id
        FROM jobs q
        WHERE q.kind = $1
            AND q.pool = 'deliveries'
            AND q.dead_at IS NULL
            AND NOT q.parked
            AND q.group_id > queue.group_id
        ORDER BY q.group_id
        LIMIT 1
    )
    FROM queue
    WHERE queue.group_id IS NOT NULL
),
head AS MATERIALIZED (
    SELECT workspace_id, id, due_at, row_number() OVER (PARTITION BY workspace_id ORDER BY due_at, id) AS turn,
        place
    FROM (
        SELECT f.workspace_id, f.id, f.due_at, f.place
        FROM queue
            CROSS JOIN LATERAL (
                SELECT h.workspace_id, h.id, h.due_at, h.ctid AS place
                FROM jobs h
                WHERE h.kind = $1
                    AND h.pool = 'deliveries'
                    AND h.dead_at IS NULL
                    AND NOT h.parked
                    AND h.group_id = queue.group_id
                    AND h.claims < 5
                    AND h.due_at <= now()
                    AND h.due_at >= least($6, now() - interval '2 seconds')
                ORDER BY h.due_at
                LIMIT least(32, $3)
            ) f
        WHERE queue.group_id IS NOT NULL
            AND NOT queue.group_id = ANY($2)
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
            FROM jobs j
            WHERE j.ctid = head.place
                AND j.due_at <= now()
            FOR NO KEY UPDATE SKIP LOCKED
        ) held
    LIMIT $3
)
UPDATE jobs
SET claimed = true, token = jobs.token + 1, claims = jobs.claims + 1, due_at = now() + $4 * interval '1 millisecond'
FROM due
WHERE jobs.ctid = due.place
RETURNING jobs.workspace_id, jobs.id, jobs.kind, jobs.subject, jobs.mark, jobs.lane, jobs.group_id, jobs.further,
    jobs.token, jobs.attempts

WITH RECURSIVE line (id) AS (
    SELECT (
        SELECT q.workspace_id
        FROM jobs q
        WHERE q.pool = 'deliveries'
            AND q.group_id IS NULL
            AND q.dead_at IS NULL
            AND NOT q.parked
        ORDER BY q.workspace_id
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT q.workspace_id
        FROM jobs q
        WHERE q.pool = 'deliveries'
            AND q.group_id IS NULL
            AND q.dead_at IS NULL
            AND NOT q.parked
            AND q.workspace_id > line.id
        ORDER BY q.workspace_id
        LIMIT 1
    )
    FROM line
    WHERE line.id IS NOT NULL
),
head AS MATERIALIZED (
    SELECT workspace_id, id, due_at, row_number() OVER (PARTITION BY workspace_id ORDER BY due_at, id) AS turn,
        place
    FROM (
        SELECT f.workspace_id, f.id, f.due_at, f.place
        FROM line
            CROSS JOIN LATERAL (
                SELECT h.workspace_id, h.id, h.due_at, h.ctid AS place
                FROM jobs h
                WHERE h.pool = 'deliveries'
                    AND h.group_id IS NULL
                    AND h.dead_at IS NULL
                    AND NOT h.parked
                    AND h.workspace_id = line.id
                    AND h.claims < 5
                    AND h.due_at <= now()
                    AND h.due_at >= least($4, now() - interval '2 seconds')
                    AND (
                        h.lane IS NULL
                        OR (
                            h.claimed
                            OR h.id = (
                                SELECT e.id
                                FROM jobs e
                                WHERE e.lane = h.lane
                                    AND e.dead_at IS NULL
                                ORDER BY e.id
                                LIMIT 1
                            )
                            AND NOT EXISTS (
                                SELECT 1
                                FROM jobs e
                                WHERE e.lane = h.lane
                                    AND e.claimed
                                    AND e.id <> h.id
                            )
                        )
                    )
                ORDER BY h.due_at
                LIMIT least(32, $1)
            ) f
        WHERE line.id IS NOT NULL
            AND NOT line.id = ANY($3)
    ) g
    WHERE NOT EXISTS (SELECT 1 FROM store_marks WHERE store_marks.name = 'outbound_hold')
        AND g.workspace_id NOT IN (SELECT w.id FROM workspaces w WHERE w.outbound = 'hold')
    ORDER BY turn, due_at, id
    LIMIT 4 * $1
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
    LIMIT $1
)
UPDATE jobs
SET claimed = true, token = jobs.token + 1, claims = jobs.claims + 1, due_at = now() + $2 * interval '1 millisecond'
FROM due
WHERE jobs.ctid = due.place
RETURNING jobs.workspace_id, jobs.id, jobs.kind, jobs.subject, jobs.mark, jobs.lane, jobs.group_id, jobs.further,
    jobs.token, jobs.attempts

UPDATE jobs
SET claimed = 1, token = token + 1, claims = claims + 1, due_at = ?4
WHERE (workspace_id, id) IN (
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
    head AS (
        SELECT workspace_id, id, due_at, row_number() OVER (PARTITION BY workspace_id ORDER BY due_at, id) AS turn
        FROM (
            SELECT f.workspace_id, f.id, f.due_at
            FROM line
                JOIN jobs f ON f.rowid IN (
                    SELECT h.rowid
                    FROM jobs h
                    WHERE h.pool = 'deliveries'
                        AND h.group_id IS NULL
                        AND h.dead_at IS NULL
                        AND NOT h.parked
                        AND h.workspace_id = line.id
                        AND h.claims < 5
                        AND h.due_at <= ?3
                        AND (NOT h.claimed OR h.due_at <= ?5)
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
                    LIMIT min(32, ?1)
                )
            WHERE line.id IS NOT NULL
                AND instr(?2, hex(line.id)) = 0
        ) g
        WHERE NOT EXISTS (SELECT 1 FROM store_marks WHERE store_marks.name = 'outbound_hold')
            AND g.workspace_id NOT IN (SELECT w.id FROM workspaces w WHERE w.outbound = 'hold')
        ORDER BY turn, due_at, id
        LIMIT ?1
    )
    SELECT workspace_id, id
    FROM head
)
RETURNING workspace_id, id, kind, subject, mark, lane, group_id, further, token, attempts

UPDATE jobs
SET claimed = 1, token = token + 1, claims = claims + 1, due_at = ?5
WHERE (workspace_id, id) IN (
    WITH RECURSIVE queue (group_id) AS (
        SELECT (
            SELECT q.group_id
            FROM jobs q
            WHERE q.kind = ?1
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
            WHERE q.kind = ?1
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
    head AS (
        SELECT workspace_id, id, due_at, row_number() OVER (PARTITION BY workspace_id ORDER BY due_at, id) AS turn
        FROM (
            SELECT f.workspace_id, f.id, f.due_at
            FROM queue
                JOIN jobs f ON f.rowid IN (
                    SELECT h.rowid
                    FROM jobs h
                    WHERE h.kind = ?1
                        AND h.pool = 'deliveries'
                        AND h.dead_at IS NULL
                        AND NOT h.parked
                        AND h.group_id = queue.group_id
                        AND h.claims < 5
                        AND h.due_at <= ?4
                        AND (NOT h.claimed OR h.due_at <= ?7)
                    ORDER BY h.due_at
                    LIMIT min(32, ?3)
                )
            WHERE queue.group_id IS NOT NULL
                AND instr(?2, hex(queue.group_id)) = 0
        ) g
        WHERE instr(?6, hex(workspace_id)) = 0
            AND NOT EXISTS (SELECT 1 FROM store_marks WHERE store_marks.name = 'outbound_hold')
            AND g.workspace_id NOT IN (SELECT w.id FROM workspaces w WHERE w.outbound = 'hold')
        ORDER BY turn, due_at, id
        LIMIT ?3
    )
    SELECT workspace_id, id
    FROM head
)
RETURNING workspace_id, id, kind, subject, mark, lane, group_id, further, token, attempts

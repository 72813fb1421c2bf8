UPDATE jobs
SET claimed = 1, token = token + 1, claims = claims + 1, due_at = ?5
WHERE (workspace_id, id) IN (
    SELECT j.workspace_id, j.id
    FROM jobs j
    WHERE j.pool = ?1
        AND j.workspace_id = ?7
        AND j.pool <> 'deliveries'
        AND j.dead_at IS NULL
        AND NOT j.parked
        AND j.claims < 5
        AND j.due_at <= ?4
        AND (NOT j.claimed OR j.due_at <= ?6)
        AND (
            ?1 <> 'sends'
            OR NOT EXISTS (SELECT 1 FROM store_marks WHERE store_marks.name = 'outbound_hold')
            AND j.workspace_id NOT IN (SELECT w.id FROM workspaces w WHERE w.outbound = 'hold')
        )
        AND (j.further IS NULL OR instr(?2, hex(j.further)) = 0)
        AND (
            j.lane IS NULL
            OR (
                j.claimed
                OR j.id = (
                    SELECT e.id
                    FROM jobs e
                    WHERE e.lane = j.lane
                        AND e.dead_at IS NULL
                    ORDER BY e.id
                    LIMIT 1
                )
                AND NOT EXISTS (SELECT 1 FROM jobs e WHERE e.lane = j.lane AND e.claimed AND e.id <> j.id)
            )
        )
    ORDER BY j.due_at
    LIMIT ?3
)
RETURNING workspace_id, id, kind, subject, mark, lane, group_id, further, token, attempts

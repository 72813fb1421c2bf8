WITH RECURSIVE turn (workspace_id, n) AS (
    SELECT (
        SELECT q.workspace_id
        FROM jobs q
        WHERE q.pool = $1
            AND q.pool <> 'deliveries'
            AND q.dead_at IS NULL
            AND NOT q.parked
            AND q.workspace_id > $2
        ORDER BY q.workspace_id
        LIMIT 1
    ), 1
    UNION ALL
    SELECT (
        SELECT q.workspace_id
        FROM jobs q
        WHERE q.pool = $1
            AND q.pool <> 'deliveries'
            AND q.dead_at IS NULL
            AND NOT q.parked
            AND q.workspace_id > turn.workspace_id
        ORDER BY q.workspace_id
        LIMIT 1
    ), turn.n + 1
    FROM turn
    WHERE turn.workspace_id IS NOT NULL
        AND turn.n < $3
)
SELECT workspace_id AS id
FROM turn
WHERE workspace_id IS NOT NULL

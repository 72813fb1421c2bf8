UPDATE jobs
SET claimed = 1, token = token + 1, due_at = ?2
WHERE (workspace_id, id) IN (
    SELECT j.workspace_id, j.id
    FROM jobs j
    WHERE claims >= 5
        AND j.dead_at IS NULL
        AND j.due_at <= ?3
        AND (NOT j.claimed OR j.due_at <= ?4)
    LIMIT ?1
)
RETURNING workspace_id, id, kind, subject, mark, lane, group_id, further, token, attempts

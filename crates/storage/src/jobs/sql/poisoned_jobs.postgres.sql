WITH poison AS MATERIALIZED (
    SELECT j.ctid AS place
    FROM jobs j
    WHERE claims >= 5
        AND j.dead_at IS NULL
        AND j.due_at <= now()
    LIMIT $1
    FOR NO KEY UPDATE OF j SKIP LOCKED
)
UPDATE jobs
SET claimed = true, token = jobs.token + 1, due_at = now() + $2 * interval '1 millisecond'
FROM poison
WHERE jobs.ctid = poison.place
RETURNING jobs.workspace_id, jobs.id, jobs.kind, jobs.subject, jobs.mark, jobs.lane, jobs.group_id, jobs.further,
    jobs.token, jobs.attempts

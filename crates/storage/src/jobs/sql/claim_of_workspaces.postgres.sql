WITH head AS MATERIALIZED (
    SELECT f.place, f.due_at, row_number() OVER (PARTITION BY turn.workspace_id ORDER BY f.due_at) AS number
    FROM unnest((SELECT $6::uuid[])) AS turn (workspace_id)
        CROSS JOIN LATERAL (
            SELECT j.ctid AS place, j.due_at
            FROM jobs j
            WHERE j.pool = $1
                AND j.workspace_id = turn.workspace_id
                AND j.pool <> 'deliveries'
                AND j.dead_at IS NULL
                AND NOT j.parked
                AND j.claims < 5
                AND j.due_at <= now()
                AND j.due_at >= least($5, now() - interval '2 seconds')
                AND (
                    $1 <> 'sends'
                    OR NOT EXISTS (SELECT 1 FROM store_marks WHERE store_marks.name = 'outbound_hold')
                    AND j.workspace_id NOT IN (SELECT w.id FROM workspaces w WHERE w.outbound = 'hold')
                )
                AND (
                    j.further IS NULL
                    OR NOT j.further = ANY(
                        ARRAY(SELECT uuid_send(full_group.id) FROM unnest((SELECT $2::uuid[])) AS full_group (id))
                    )
                )
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
            LIMIT least(32, $3)
        ) f
    ORDER BY number, due_at
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

UPDATE deliveries
SET token = token + 1, claims = claims + 1, leased_until = ?5
WHERE (workspace_id, id) IN (
    WITH RECURSIVE line (id) AS (
        SELECT (
            SELECT q.queued_for
            FROM deliveries q
            WHERE q.queue = ?1
            ORDER BY q.queued_for
            LIMIT 1
        )
        UNION ALL
        SELECT (
            SELECT q.queued_for
            FROM deliveries q
            WHERE q.queue = ?1
                AND q.queued_for > line.id
            ORDER BY q.queued_for
            LIMIT 1
        )
        FROM line
        WHERE line.id IS NOT NULL
    ),
    head AS (
        SELECT workspace_id, id, due_at, row_number() OVER (PARTITION BY workspace_id ORDER BY due_at, id) AS turn
        FROM (
            SELECT f.workspace_id, f.id, f.next_attempt_at AS due_at
            FROM line
                JOIN deliveries f ON f.rowid IN (
                    SELECT h.rowid
                    FROM deliveries h
                    WHERE h.queue = ?1
                        AND h.queued_for = line.id
                        AND h.next_attempt_at <= ?4
                        AND (h.leased_until IS NULL OR h.leased_until <= ?7)
                        AND h.claims < 5
                    ORDER BY h.next_attempt_at
                    LIMIT min(32, ?3)
                )
            WHERE line.id IS NOT NULL
                AND instr(?2, hex(line.id)) = 0
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
RETURNING workspace_id, id, webhook_id, event_id, event_kind, attempts, round_start, created_at, updated_at,
    version, token, errors, next_attempt_at

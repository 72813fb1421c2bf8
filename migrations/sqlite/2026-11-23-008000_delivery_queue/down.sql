-- Queued deliveries become jobs again. Outcomes of first attempts become rows of delivery_attempts again.
INSERT INTO jobs (workspace_id, id, pool, kind, subject, mark, group_id, due_at, claimed, token, claims, attempts, parked)
SELECT workspace_id, randomblob(16), 'deliveries',
    CASE WHEN attempts > round_start THEN 'retry_delivery' ELSE 'attempt_delivery' END, id, round_start, webhook_id,
    coalesce(next_attempt_at, 0), 0, 0, 0, errors, queue = 3
FROM deliveries WHERE queue IS NOT NULL;
INSERT INTO delivery_attempts (workspace_id, delivery_id, number, at, duration_ms, status, headers, body, error)
SELECT workspace_id, id, 1, first_at, coalesce(first_duration_ms, 0), first_status, coalesce(first_headers, '[]'),
    coalesce(first_body, ''), first_error
FROM deliveries WHERE first_at IS NOT NULL;
DROP INDEX deliveries_queue_idx;
ALTER TABLE deliveries DROP COLUMN first_error;
ALTER TABLE deliveries DROP COLUMN first_body;
ALTER TABLE deliveries DROP COLUMN first_headers;
ALTER TABLE deliveries DROP COLUMN first_status;
ALTER TABLE deliveries DROP COLUMN first_duration_ms;
ALTER TABLE deliveries DROP COLUMN first_at;
ALTER TABLE deliveries DROP COLUMN errors;
ALTER TABLE deliveries DROP COLUMN claims;
ALTER TABLE deliveries DROP COLUMN token;
ALTER TABLE deliveries DROP COLUMN leased_until;
ALTER TABLE deliveries DROP COLUMN queued_for;
ALTER TABLE deliveries DROP COLUMN queue;

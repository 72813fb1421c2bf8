DROP TRIGGER IF EXISTS webhooks_call_for_deliveries ON webhooks;
DROP FUNCTION IF EXISTS call_for_deliveries();

-- Queued deliveries become jobs again. Outcomes of first attempts become rows of delivery_attempts again.
INSERT INTO jobs (workspace_id, id, pool, kind, subject, mark, group_id, due_at, claimed, token, claims, attempts, parked)
SELECT workspace_id, gen_random_uuid(), 'deliveries',
    CASE WHEN attempts > round_start THEN 'retry_delivery' ELSE 'attempt_delivery' END, id, round_start, webhook_id,
    coalesce(next_attempt_at, now()), false, 0, 0, errors, queue = 3
FROM deliveries WHERE queue IS NOT NULL;
INSERT INTO delivery_attempts (workspace_id, delivery_id, number, at, duration_ms, status, headers, body, error)
SELECT workspace_id, id, 1, first_at, coalesce(first_duration_ms, 0), first_status, coalesce(first_headers, '[]'),
    coalesce(first_body, ''), first_error
FROM deliveries WHERE first_at IS NOT NULL;
DROP INDEX deliveries_queue_idx;
ALTER TABLE deliveries SET (fillfactor = 80);
ALTER TABLE deliveries
    DROP COLUMN queue, DROP COLUMN queued_for, DROP COLUMN leased_until, DROP COLUMN token, DROP COLUMN claims,
    DROP COLUMN errors, DROP COLUMN first_at, DROP COLUMN first_duration_ms, DROP COLUMN first_status,
    DROP COLUMN first_headers, DROP COLUMN first_body, DROP COLUMN first_error;

-- Locks: ACCESS EXCLUSIVE of deliveries
-- Locks: SHARE ROW EXCLUSIVE of webhooks
-- Locks: SHARE UPDATE EXCLUSIVE of deliveries
-- Writers: wait_shortly
--
-- A delivery is its own row in the queue, and contains the outcome of its first attempt. `queue` is 1 for a first
-- attempt, 2 for a later one, 3 while the webhook is not active, and null if no attempt follows. queued_for is the
-- webhook in the first three cases. A claim changes no indexed column, so the row stays on its page. Deliveries that
-- earlier releases queued as jobs move here when they are due.

ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS queue integer;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS queued_for uuid;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS leased_until timestamptz;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS token bigint NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS claims integer NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS errors integer NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS first_at timestamptz;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS first_duration_ms bigint;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS first_status integer;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS first_headers text;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS first_body text;
ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS first_error text;

CREATE INDEX CONCURRENTLY deliveries_queue_idx ON deliveries (queue, queued_for, next_attempt_at)
    WHERE queue IS NOT NULL;

-- Leaves room for a claim on the page of its row.
ALTER TABLE deliveries SET (fillfactor = 70);

-- If a process of the earlier release enables or deletes a webhook, it releases jobs only. This trigger releases the
-- deliveries. indexes_after_rollout drops it.
CREATE OR REPLACE FUNCTION call_for_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.status <> 'active' THEN RETURN NULL; END IF;
    END IF;
    UPDATE deliveries SET queue = CASE WHEN attempts > round_start THEN 2 ELSE 1 END, next_attempt_at = now()
    WHERE queue = 3 AND queued_for = OLD.id;
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER webhooks_call_for_deliveries AFTER UPDATE OF status OR DELETE ON webhooks
    FOR EACH ROW EXECUTE FUNCTION call_for_deliveries();

-- A delivery is its own row in the queue, and contains the outcome of its first attempt. `queue` is 1 for a first
-- attempt, 2 for a later one, 3 while the webhook is not active, and null if no attempt follows. queued_for is the
-- webhook in the first three cases. Deliveries that earlier releases queued as jobs move here when they are due.
ALTER TABLE deliveries ADD COLUMN queue integer;
ALTER TABLE deliveries ADD COLUMN queued_for blob;
ALTER TABLE deliveries ADD COLUMN leased_until integer;
ALTER TABLE deliveries ADD COLUMN token integer NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN claims integer NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN errors integer NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN first_at integer;
ALTER TABLE deliveries ADD COLUMN first_duration_ms integer;
ALTER TABLE deliveries ADD COLUMN first_status integer;
ALTER TABLE deliveries ADD COLUMN first_headers text;
ALTER TABLE deliveries ADD COLUMN first_body text;
ALTER TABLE deliveries ADD COLUMN first_error text;
CREATE INDEX deliveries_queue_idx ON deliveries (queue, queued_for, next_attempt_at) WHERE queue IS NOT NULL;

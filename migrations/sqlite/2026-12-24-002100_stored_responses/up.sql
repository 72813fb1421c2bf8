-- The form of a stored response. Null: the body as it was sent, or encrypted if `sealed` is set. `gzip`: compressed.
-- `object`: names the object that is rendered again.
ALTER TABLE idempotency_keys ADD COLUMN form text;

-- Stored responses count as text of the workspace.
ALTER TABLE stored_text ADD COLUMN idempotency integer NOT NULL DEFAULT 0;

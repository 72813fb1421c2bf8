-- The form of a stored response: NULL is as it was sent or, by `sealed`, sealed; `gzip` is compressed; `object` names the object
-- that is rendered again.
ALTER TABLE idempotency_keys ADD COLUMN form text;

-- Stored responses are counted like other text of a workspace.
ALTER TABLE stored_text ADD COLUMN idempotency integer NOT NULL DEFAULT 0;

-- Locks: ACCESS EXCLUSIVE of idempotency_keys, stored_text
-- Writers: wait_shortly
--
-- The form of a stored response. Null: the body as it was sent, or encrypted if `sealed` is set. `gzip`: compressed.
-- `object`: names the object that is rendered again. Stored responses count as text of the workspace.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

ALTER TABLE idempotency_keys ADD COLUMN IF NOT EXISTS form text;

ALTER TABLE stored_text ADD COLUMN IF NOT EXISTS idempotency bigint NOT NULL DEFAULT 0;

-- Locks: ACCESS EXCLUSIVE of idempotency_keys, stored_text
-- Writers: wait_shortly
--
-- The form of a stored response: NULL is as it was sent or, by `sealed`, sealed; `gzip` is compressed; `object` names the object
-- that is rendered again. Stored responses are counted like other text of a workspace.
--
-- The steps stand apart by empty lines; each is a transaction of its own, and all may be done once more.

ALTER TABLE idempotency_keys ADD COLUMN IF NOT EXISTS form text;

ALTER TABLE stored_text ADD COLUMN IF NOT EXISTS idempotency bigint NOT NULL DEFAULT 0;

DELETE FROM idempotency_keys WHERE form IS NOT NULL;
ALTER TABLE idempotency_keys DROP COLUMN form;
ALTER TABLE stored_text DROP COLUMN idempotency;

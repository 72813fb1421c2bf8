DROP INDEX webhooks_plain_headers_idx;
ALTER TABLE webhooks DROP COLUMN sealed_headers;

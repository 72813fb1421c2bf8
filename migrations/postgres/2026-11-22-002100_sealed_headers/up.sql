-- Locks: ACCESS EXCLUSIVE of webhooks
-- Locks: SHARE of webhooks
-- Writers: wait
--
-- Headers with encrypted values. The index finds webhooks with unencrypted ones, which the next start encrypts.

ALTER TABLE webhooks ADD COLUMN sealed_headers text NOT NULL DEFAULT '[]';

CREATE INDEX webhooks_plain_headers_idx ON webhooks (workspace_id, id) WHERE headers <> '[]';

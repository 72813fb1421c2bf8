-- Locks: ACCESS EXCLUSIVE of webhooks
-- Locks: SHARE of webhooks
-- Writers: wait
--
-- Headers of webhooks whose values are sealed, and the way to those that are not yet: they are sealed at the next start.

ALTER TABLE webhooks ADD COLUMN sealed_headers text NOT NULL DEFAULT '[]';

CREATE INDEX webhooks_plain_headers_idx ON webhooks (workspace_id, id) WHERE headers <> '[]';

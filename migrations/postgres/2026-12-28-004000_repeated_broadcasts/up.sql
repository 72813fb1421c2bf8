-- Locks: ACCESS EXCLUSIVE of broadcast_recipients, broadcasts
-- Locks: SHARE UPDATE EXCLUSIVE of broadcast_recipients, broadcasts
-- Locks: ROW EXCLUSIVE of broadcast_recipients
-- Writers: wait_shortly
-- Rewrites: broadcast_recipients
--
-- repeats is the first broadcast of a broadcast that repeats it. A recipient gets the status of its message, and code
-- is the error code of a message that was not sent. Earlier releases gave handled recipients the status `done`,
-- whatever happened to the message.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

ALTER TABLE broadcasts ADD COLUMN IF NOT EXISTS repeats uuid;

ALTER TABLE broadcast_recipients ADD COLUMN IF NOT EXISTS code text;

UPDATE broadcast_recipients AS r SET
    status = CASE
        WHEN m.status IN ('failed', 'suppressed', 'uncertain') THEN m.status
        WHEN m.status IN ('queued', 'sending') THEN 'queued'
        ELSE 'sent' END,
    code = CASE WHEN m.status IN ('failed', 'suppressed', 'uncertain') THEN m.error::json ->> 'code' END
FROM messages m WHERE m.workspace_id = r.workspace_id AND m.id = r.message_id AND r.status = 'done';

CREATE INDEX CONCURRENTLY broadcasts_repeats_idx ON broadcasts (repeats) WHERE repeats IS NOT NULL;

CREATE INDEX CONCURRENTLY broadcast_recipients_status_idx ON broadcast_recipients (broadcast_id, status, contact_id)
    WHERE status IS NOT NULL;

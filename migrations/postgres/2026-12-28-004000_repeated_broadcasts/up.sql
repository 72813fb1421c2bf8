-- Locks: ACCESS EXCLUSIVE of broadcast_recipients, broadcasts
-- Locks: SHARE UPDATE EXCLUSIVE of broadcast_recipients, broadcasts
-- Locks: ROW EXCLUSIVE of broadcast_recipients
-- Writers: wait_shortly
-- Rewrites: broadcast_recipients
--
-- The first broadcast of one that repeats it, and the result of each recipient: the status that its message gives, and the error
-- code of a message that was not sent. Recipients of the releases before have the status 'done', whatever became of the message.
--
-- The steps stand apart by empty lines; each is a transaction of its own, and all may be done once more.

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

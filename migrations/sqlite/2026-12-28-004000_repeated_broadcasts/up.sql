-- repeats is the first broadcast of a broadcast that repeats it. A recipient gets the status of its message, and code
-- is the error code of a message that was not sent. Earlier releases gave handled recipients the status `done`,
-- whatever happened to the message.
ALTER TABLE broadcasts ADD COLUMN repeats blob;
ALTER TABLE broadcast_recipients ADD COLUMN code text;
UPDATE broadcast_recipients SET
    status = CASE
        WHEN m.status IN ('failed', 'suppressed', 'uncertain') THEN m.status
        WHEN m.status IN ('queued', 'sending') THEN 'queued'
        ELSE 'sent' END,
    code = CASE WHEN m.status IN ('failed', 'suppressed', 'uncertain') THEN json_extract(m.error, '$.code') END
FROM messages m WHERE m.workspace_id = broadcast_recipients.workspace_id AND m.id = broadcast_recipients.message_id
    AND broadcast_recipients.status = 'done';
CREATE INDEX broadcasts_repeats_idx ON broadcasts (repeats) WHERE repeats IS NOT NULL;
CREATE INDEX broadcast_recipients_status_idx ON broadcast_recipients (broadcast_id, status, contact_id)
    WHERE status IS NOT NULL;

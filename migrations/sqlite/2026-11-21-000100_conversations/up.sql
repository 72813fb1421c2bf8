-- Assignment, snoozing and reply times of conversations, types and parts of messages, and connections of channels to
-- providers.

ALTER TABLE channels ADD COLUMN status text NOT NULL DEFAULT 'connected';
ALTER TABLE channels ADD COLUMN url text;
ALTER TABLE channels ADD COLUMN secret blob;
ALTER TABLE channels ADD COLUMN secret_hint text;
ALTER TABLE channels ADD COLUMN inbound_token blob;
ALTER TABLE channels ADD COLUMN inbound_digest blob;
ALTER TABLE channels ADD COLUMN last_error text;
ALTER TABLE channels ADD COLUMN connected_at integer;
ALTER TABLE channels ADD COLUMN deleted_at integer;
UPDATE channels SET connected_at = created_at;
CREATE UNIQUE INDEX channels_inbound_key ON channels (inbound_digest);
CREATE INDEX channels_created_idx ON channels (workspace_id, created_at, id);

ALTER TABLE conversations ADD COLUMN assignee_id blob;
ALTER TABLE conversations ADD COLUMN snoozed_until integer;
ALTER TABLE conversations ADD COLUMN unread_count integer NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN waiting_since integer;
ALTER TABLE conversations ADD COLUMN first_reply_at integer;
ALTER TABLE conversations ADD COLUMN resolved_at integer;
ALTER TABLE conversations ADD COLUMN reopen_count integer NOT NULL DEFAULT 0;
CREATE INDEX conversations_status_idx ON conversations (workspace_id, status, created_at, id);
CREATE INDEX conversations_assignee_idx ON conversations (workspace_id, assignee_id, created_at, id);

-- text contains the words of a message. parts contains attachments, quick replies and templates.
ALTER TABLE messages ADD COLUMN type text NOT NULL DEFAULT 'text';
ALTER TABLE messages ADD COLUMN parts text;
CREATE INDEX messages_channel_idx ON messages (workspace_id, channel_id, created_at, id);
CREATE INDEX messages_provider_idx ON messages (workspace_id, channel_id, provider_message_id);
-- A message that a provider sends twice is stored once.
CREATE UNIQUE INDEX messages_inbound_key ON messages (workspace_id, channel_id, provider_message_id)
    WHERE direction = 'inbound';

-- Locks: ACCESS EXCLUSIVE of messages
-- Locks: SHARE ROW EXCLUSIVE of messages
-- Writers: wait_shortly
--
-- The parts of a message that is sent in several parts, as JSON; null for other messages. The provider's IDs of all parts
-- except the last one are rows, by which reports find the message.
ALTER TABLE messages ADD COLUMN sent_parts text;
CREATE TABLE message_parts (
    workspace_id uuid NOT NULL,
    message_id uuid NOT NULL,
    part integer NOT NULL,
    channel_id uuid NOT NULL,
    provider_message_id text NOT NULL,
    PRIMARY KEY (workspace_id, message_id, part),
    FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX message_parts_of_provider_idx ON message_parts (channel_id, provider_message_id);

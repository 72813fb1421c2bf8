-- Locks: ACCESS EXCLUSIVE of messages
-- Locks: SHARE UPDATE EXCLUSIVE of messages
-- Writers: wait_shortly
--
-- A message of a broadcast has no conversation until the contact has one on the channel. Until then it is found by its
-- contact.
ALTER TABLE messages ALTER COLUMN conversation_id DROP NOT NULL;

CREATE INDEX CONCURRENTLY messages_alone_idx ON messages (contact_id, created_at, id) WHERE conversation_id IS NULL;

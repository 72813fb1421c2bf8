-- Locks: ACCESS EXCLUSIVE of messages
-- Writers: wait_shortly
--
-- Links between a message that failed or stayed uncertain and the copy that was sent after it. They have no foreign
-- keys: each message can be deleted without the other.
ALTER TABLE messages ADD COLUMN resend_of uuid, ADD COLUMN resent_as uuid;

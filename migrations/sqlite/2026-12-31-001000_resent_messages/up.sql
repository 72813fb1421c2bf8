-- Links between a message that failed or stayed uncertain and the copy that was sent after it. They have no foreign
-- keys: each message can be deleted without the other.
ALTER TABLE messages ADD COLUMN resend_of blob;
ALTER TABLE messages ADD COLUMN resent_as blob;

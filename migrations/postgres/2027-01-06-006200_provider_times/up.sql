-- Locks: ACCESS EXCLUSIVE of messages
-- Writers: wait_shortly
--
-- When a contact sent a message, by the provider. Null: the provider does not state it, the message goes to a contact,
-- or it is older than this migration.
ALTER TABLE messages ADD COLUMN sent_at timestamptz;

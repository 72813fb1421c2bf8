-- Locks: ACCESS EXCLUSIVE of messages
-- Writers: wait_shortly
--
-- The contact's address from which a message came, or to which it went. Null: it is not known yet, or the message is
-- older than this migration.
ALTER TABLE messages ADD COLUMN address text;

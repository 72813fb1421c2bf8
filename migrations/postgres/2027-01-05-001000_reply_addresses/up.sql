-- Locks: ACCESS EXCLUSIVE of conversations
-- Writers: wait_shortly
--
-- The address from which the contact last wrote, to which messages go. Null: the contact has not written since this
-- migration.
ALTER TABLE conversations ADD COLUMN reply_address text;

-- Locks: ACCESS EXCLUSIVE of saved_replies
-- Writers: wait_shortly
--
-- The attachments of a saved reply, as JSON. Null: there are none.
ALTER TABLE saved_replies ADD COLUMN attachments text;

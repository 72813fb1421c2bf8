-- Locks: ACCESS EXCLUSIVE of conversations
-- Writers: wait_shortly
--
-- When an opt-out of the contact was last confirmed. Null: never.
ALTER TABLE conversations ADD COLUMN opt_out_confirmed_at timestamptz;

-- Locks: ACCESS EXCLUSIVE of sessions
-- Writers: wait_shortly
--
-- The network of the sign-in. Failed sign-ins from other networks do not block this network.

ALTER TABLE sessions ADD COLUMN network text;

-- Locks: ACCESS EXCLUSIVE of sessions
-- Writers: wait_shortly
--
-- What the browser or program called itself that began a session: people know their sessions by it.

ALTER TABLE sessions ADD COLUMN user_agent text;

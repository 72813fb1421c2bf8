-- Locks: ACCESS EXCLUSIVE of sessions
-- Writers: wait_shortly
--
-- From which network a session began: guesses at a password from elsewhere keep nobody out there.

ALTER TABLE sessions ADD COLUMN network text;

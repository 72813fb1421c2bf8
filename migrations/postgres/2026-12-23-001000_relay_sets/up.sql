-- Locks: ACCESS EXCLUSIVE of jobs
-- Writers: wait_shortly
--
-- One job relays the events of a change set: of its kind `relay_set` the first is the subject, and the others stand here,
-- sixteen bytes each.
ALTER TABLE jobs ADD COLUMN further bytea;

-- Locks: ACCESS EXCLUSIVE of jobs
-- Writers: wait_shortly
--
-- One job relays the events of a change set. The subject of a job `relay_set` is the first event. This column contains
-- the others, 16 bytes each.
ALTER TABLE jobs ADD COLUMN further bytea;

-- Locks: ACCESS EXCLUSIVE of contacts
-- Writers: wait_shortly
--
-- The address of a picture of a contact. Conditions ask only whether it is there.

ALTER TABLE contacts ADD COLUMN avatar_url text;

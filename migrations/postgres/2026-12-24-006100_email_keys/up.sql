-- Locks: ACCESS EXCLUSIVE of contacts
-- Writers: wait_shortly
--
-- `email` becomes the key by which addresses are the same; an address that was written differently is displayed as written.
ALTER TABLE contacts ADD COLUMN email_written text;
-- The contact that has the key of this one's address since before addresses were normalised.
ALTER TABLE contacts ADD COLUMN same_email_as uuid;

-- Locks: ACCESS EXCLUSIVE of contacts
-- Writers: wait_shortly
--
-- `email` becomes the normalised address, which is compared. email_written is the address as it was written, if it
-- differs, and is displayed.
ALTER TABLE contacts ADD COLUMN email_written text;
-- The contact that has the same normalised address since before addresses were normalised.
ALTER TABLE contacts ADD COLUMN same_email_as uuid;

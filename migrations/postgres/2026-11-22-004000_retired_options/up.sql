-- Locks: ACCESS EXCLUSIVE of custom_fields
-- Writers: wait_shortly
--
-- Removed options that contacts may still have, as JSON. They are not displayed, and a job removes them from contacts.

ALTER TABLE custom_fields ADD COLUMN retired text;

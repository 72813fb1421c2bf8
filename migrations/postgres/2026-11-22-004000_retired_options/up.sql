-- Locks: ACCESS EXCLUSIVE of custom_fields
-- Writers: wait_shortly
--
-- Options that a custom field no longer has and that contacts may still carry, as JSON: nothing shows them, and a job
-- takes them off.

ALTER TABLE custom_fields ADD COLUMN retired text;

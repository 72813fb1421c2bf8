-- Locks: ACCESS EXCLUSIVE of flow_versions, flows
-- Writers: wait_shortly
--
-- The objects that the words of drafts and versions of flows name, by the JSON pointer of each word.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

ALTER TABLE flows ADD COLUMN IF NOT EXISTS bindings text;

ALTER TABLE flow_versions ADD COLUMN IF NOT EXISTS bindings text;

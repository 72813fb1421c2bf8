-- Locks: ACCESS EXCLUSIVE of flow_versions, flows
-- Writers: wait_shortly
--
-- The objects that the words of drafts and versions of flows mean, by the JSON pointer of each word.
--
-- The steps stand apart by empty lines; each is a transaction of its own, and all may be done once more.

ALTER TABLE flows ADD COLUMN IF NOT EXISTS bindings text;

ALTER TABLE flow_versions ADD COLUMN IF NOT EXISTS bindings text;

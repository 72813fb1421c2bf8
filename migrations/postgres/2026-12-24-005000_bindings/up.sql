-- Locks: ACCESS EXCLUSIVE of broadcasts, bulk_operations, segments, sequences
-- Writers: wait_shortly
--
-- The objects that the words of a stored condition name, by the JSON pointer of each word. Null: written by a release
-- without bindings.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

ALTER TABLE segments ADD COLUMN IF NOT EXISTS bindings text;

ALTER TABLE broadcasts ADD COLUMN IF NOT EXISTS bindings text;

ALTER TABLE sequences ADD COLUMN IF NOT EXISTS bindings text;

ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS bindings text;

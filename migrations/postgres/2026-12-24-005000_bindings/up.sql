-- Locks: ACCESS EXCLUSIVE of broadcasts, bulk_operations, segments, sequences
-- Writers: wait_shortly
--
-- The objects that the words of a stored condition mean, by the JSON pointer of each word. Without them the row was written by a
-- release that had none.
--
-- The steps stand apart by empty lines; each is a transaction of its own, and all may be done once more.

ALTER TABLE segments ADD COLUMN IF NOT EXISTS bindings text;

ALTER TABLE broadcasts ADD COLUMN IF NOT EXISTS bindings text;

ALTER TABLE sequences ADD COLUMN IF NOT EXISTS bindings text;

ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS bindings text;

-- The objects that the words of a stored condition name, by the JSON pointer of each word. Null: written by a release
-- without bindings.

ALTER TABLE segments ADD COLUMN bindings TEXT;
ALTER TABLE broadcasts ADD COLUMN bindings TEXT;
ALTER TABLE sequences ADD COLUMN bindings TEXT;
ALTER TABLE bulk_operations ADD COLUMN bindings TEXT;

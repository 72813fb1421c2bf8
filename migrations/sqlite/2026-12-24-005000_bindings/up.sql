-- The objects that the words of a stored condition mean, by the JSON pointer of each word. Without them the row was written by a
-- release that had none.

ALTER TABLE segments ADD COLUMN bindings TEXT;
ALTER TABLE broadcasts ADD COLUMN bindings TEXT;
ALTER TABLE sequences ADD COLUMN bindings TEXT;
ALTER TABLE bulk_operations ADD COLUMN bindings TEXT;

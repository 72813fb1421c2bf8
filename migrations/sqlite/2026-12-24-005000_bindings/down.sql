ALTER TABLE bulk_operations DROP COLUMN bindings;
ALTER TABLE sequences DROP COLUMN bindings;
ALTER TABLE broadcasts DROP COLUMN bindings;
ALTER TABLE segments DROP COLUMN bindings;

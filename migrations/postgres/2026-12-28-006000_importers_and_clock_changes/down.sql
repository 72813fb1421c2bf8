ALTER TABLE imports DROP COLUMN clock_changes;

ALTER TABLE imports DROP COLUMN created_by_id;

ALTER TABLE imports DROP COLUMN created_by;

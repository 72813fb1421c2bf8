ALTER TABLE imports DROP COLUMN reading;

ALTER TABLE imports DROP COLUMN skipped_cells;

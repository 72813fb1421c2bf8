ALTER TABLE imports DROP COLUMN match_by;

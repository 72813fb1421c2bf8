DROP TABLE enrollments;
DROP TABLE sequences;
ALTER TABLE workspaces DROP COLUMN time_zone;

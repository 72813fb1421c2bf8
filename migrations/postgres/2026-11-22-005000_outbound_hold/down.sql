DROP TABLE store_marks;
DROP INDEX workspaces_held_idx;
ALTER TABLE workspaces DROP COLUMN outbound;

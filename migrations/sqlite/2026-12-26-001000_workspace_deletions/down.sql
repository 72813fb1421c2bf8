DROP INDEX workspaces_deleted_idx;
ALTER TABLE workspaces DROP COLUMN erase_at;
ALTER TABLE workspaces DROP COLUMN deleted_at;

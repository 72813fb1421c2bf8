-- The time when the workspace was deleted, and the time until which it can be restored. Afterwards its rows are erased
-- in portions.

ALTER TABLE workspaces ADD COLUMN deleted_at integer;
ALTER TABLE workspaces ADD COLUMN erase_at integer;
CREATE INDEX workspaces_deleted_idx ON workspaces (id) WHERE deleted_at IS NOT NULL;

-- Locks: ACCESS EXCLUSIVE of workspaces
-- Locks: SHARE of workspaces
-- Writers: wait
--
-- When a workspace was deleted, and until when it can be restored. After that its rows are erased in portions.

ALTER TABLE workspaces ADD COLUMN deleted_at timestamptz;
ALTER TABLE workspaces ADD COLUMN erase_at timestamptz;
CREATE INDEX workspaces_deleted_idx ON workspaces (id) WHERE deleted_at IS NOT NULL;

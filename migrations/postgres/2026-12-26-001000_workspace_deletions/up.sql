-- Locks: ACCESS EXCLUSIVE of workspaces
-- Locks: SHARE of workspaces
-- Writers: wait
--
-- The time when the workspace was deleted, and the time until which it can be restored. Afterwards its rows are erased
-- in portions.

ALTER TABLE workspaces ADD COLUMN deleted_at timestamptz;
ALTER TABLE workspaces ADD COLUMN erase_at timestamptz;
CREATE INDEX workspaces_deleted_idx ON workspaces (id) WHERE deleted_at IS NOT NULL;

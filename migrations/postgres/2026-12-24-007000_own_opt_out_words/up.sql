-- Locks: ACCESS EXCLUSIVE of workspaces
-- Writers: wait_shortly
--
-- Opt-out words of the workspace, in addition to those in the settings: a JSON array of texts.
ALTER TABLE workspaces ADD COLUMN opt_out_words text NOT NULL DEFAULT '[]';

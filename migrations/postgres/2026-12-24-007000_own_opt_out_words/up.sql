-- Locks: ACCESS EXCLUSIVE of workspaces
-- Writers: wait_shortly
--
-- Words by which contacts opt out of a channel, beside those of the installation: a JSON array of texts.
ALTER TABLE workspaces ADD COLUMN opt_out_words text NOT NULL DEFAULT '[]';

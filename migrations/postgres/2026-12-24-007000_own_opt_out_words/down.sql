ALTER TABLE workspaces DROP COLUMN opt_out_words;

ALTER TABLE workspaces DROP COLUMN default_country;
ALTER TABLE workspaces DROP COLUMN assign_on_reply;

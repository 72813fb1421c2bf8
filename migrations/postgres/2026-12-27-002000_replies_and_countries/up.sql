-- Locks: ACCESS EXCLUSIVE of workspaces
-- Writers: wait_shortly
--
-- Whether a reply of a member assigns an unassigned conversation to the member.
ALTER TABLE workspaces ADD COLUMN assign_on_reply boolean NOT NULL DEFAULT true;
-- The country of phone numbers without a country code: ISO 3166-1 alpha-2.
ALTER TABLE workspaces ADD COLUMN default_country text;

ALTER TABLE contact_identities DROP COLUMN added_at, DROP COLUMN is_alias;

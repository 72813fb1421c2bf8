ALTER TABLE contact_identities DROP COLUMN added_at;
ALTER TABLE contact_identities DROP COLUMN is_alias;

ALTER TABLE contact_identities DROP COLUMN opt_out_at;
ALTER TABLE contact_identities DROP COLUMN opt_out_source;

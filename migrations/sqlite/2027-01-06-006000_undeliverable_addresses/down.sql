ALTER TABLE contact_identities DROP COLUMN undeliverable_since;

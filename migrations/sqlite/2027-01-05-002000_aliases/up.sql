-- Whether the address is a further name of the contact's oldest address on the channel, and when the contact got the
-- address. Existing addresses have the same age.
ALTER TABLE contact_identities ADD COLUMN is_alias integer NOT NULL DEFAULT 0;
ALTER TABLE contact_identities ADD COLUMN added_at integer NOT NULL DEFAULT 0;

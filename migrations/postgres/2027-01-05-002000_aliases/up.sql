-- Locks: ACCESS EXCLUSIVE of contact_identities
-- Writers: wait_shortly
--
-- Whether the address is a further name of the contact's oldest address on the channel, and when the contact got the
-- address. Existing addresses have the same age.
ALTER TABLE contact_identities
    ADD COLUMN is_alias boolean NOT NULL DEFAULT false,
    ADD COLUMN added_at timestamptz NOT NULL DEFAULT '1970-01-01T00:00:00Z';

-- Locks: ACCESS EXCLUSIVE of contact_identities
-- Writers: wait_shortly
--
-- Since when the provider cannot deliver messages to the address. Null: no message was refused for this reason, or the
-- address worked later.
ALTER TABLE contact_identities ADD COLUMN undeliverable_since timestamptz;

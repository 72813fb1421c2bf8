-- Locks: ACCESS EXCLUSIVE of bulk_operations, contacts
-- Writers: wait_shortly
--
-- Whether a contact was created without a subscription and has refused nothing since. False for contacts of earlier releases: they
-- may have refused.
ALTER TABLE contacts ADD COLUMN IF NOT EXISTS never_subscribed boolean NOT NULL DEFAULT false;

-- What the action of a bulk operation is about beside a tag: a custom field, a sequence or a flow, and the value that a field gets.
ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS object_id uuid;
ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS field_key text;
ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS value text;
-- Contacts that were left as they are: the action does not apply to them, or they refused it themselves.
ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS skipped bigint NOT NULL DEFAULT 0;
ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS still_opted_out bigint NOT NULL DEFAULT 0;

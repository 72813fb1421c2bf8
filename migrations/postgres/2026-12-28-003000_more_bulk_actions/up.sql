-- Locks: ACCESS EXCLUSIVE of bulk_operations, contacts
-- Writers: wait_shortly
--
-- Whether the contact was created without a subscription and has refused nothing since. False for contacts of earlier
-- releases, which may have refused.
ALTER TABLE contacts ADD COLUMN IF NOT EXISTS never_subscribed boolean NOT NULL DEFAULT false;

-- The custom field, sequence or flow of the action, and the value that a field gets. A tag has its own column.
ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS object_id uuid;
ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS field_key text;
ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS value text;
-- Contacts that the action does not apply to, or that refused it.
ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS skipped bigint NOT NULL DEFAULT 0;
ALTER TABLE bulk_operations ADD COLUMN IF NOT EXISTS still_opted_out bigint NOT NULL DEFAULT 0;

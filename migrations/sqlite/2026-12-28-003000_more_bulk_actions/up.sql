-- Whether the contact was created without a subscription and has refused nothing since. False for contacts of earlier
-- releases, which may have refused.
ALTER TABLE contacts ADD COLUMN never_subscribed integer NOT NULL DEFAULT 0;

-- The custom field, sequence or flow of the action, and the value that a field gets. A tag has its own column.
ALTER TABLE bulk_operations ADD COLUMN object_id blob;
ALTER TABLE bulk_operations ADD COLUMN field_key text;
ALTER TABLE bulk_operations ADD COLUMN value text;
-- Contacts that the action does not apply to, or that refused it.
ALTER TABLE bulk_operations ADD COLUMN skipped integer NOT NULL DEFAULT 0;
ALTER TABLE bulk_operations ADD COLUMN still_opted_out integer NOT NULL DEFAULT 0;

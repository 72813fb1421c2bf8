-- Whether a contact was created without a subscription and has refused nothing since. False for contacts of earlier releases: they
-- may have refused.
ALTER TABLE contacts ADD COLUMN never_subscribed integer NOT NULL DEFAULT 0;

-- What the action of a bulk operation is about beside a tag: a custom field, a sequence or a flow, and the value that a field gets.
ALTER TABLE bulk_operations ADD COLUMN object_id blob;
ALTER TABLE bulk_operations ADD COLUMN field_key text;
ALTER TABLE bulk_operations ADD COLUMN value text;
-- Contacts that were left as they are: the action does not apply to them, or they refused it themselves.
ALTER TABLE bulk_operations ADD COLUMN skipped integer NOT NULL DEFAULT 0;
ALTER TABLE bulk_operations ADD COLUMN still_opted_out integer NOT NULL DEFAULT 0;

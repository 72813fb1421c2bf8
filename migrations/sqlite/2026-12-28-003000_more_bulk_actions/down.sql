ALTER TABLE contacts DROP COLUMN never_subscribed;

ALTER TABLE bulk_operations DROP COLUMN object_id;
ALTER TABLE bulk_operations DROP COLUMN field_key;
ALTER TABLE bulk_operations DROP COLUMN value;
ALTER TABLE bulk_operations DROP COLUMN skipped;
ALTER TABLE bulk_operations DROP COLUMN still_opted_out;

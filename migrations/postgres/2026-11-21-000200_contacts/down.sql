DROP TABLE object_references;
DROP INDEX contacts_name_idx;
DROP INDEX contacts_last_message_idx;
DROP INDEX contacts_updated_idx;
ALTER TABLE contacts DROP COLUMN search_text;
ALTER TABLE contacts DROP COLUMN name_key;

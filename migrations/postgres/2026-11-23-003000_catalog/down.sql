DROP TRIGGER flows_in_catalog ON flows;
DROP TRIGGER channels_in_catalog ON channels;
DROP TRIGGER custom_fields_in_catalog ON custom_fields;
DROP TRIGGER tags_in_catalog ON tags;
DROP FUNCTION raise_catalog_revision;
ALTER TABLE listener_revisions DROP COLUMN catalog;

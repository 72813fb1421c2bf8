ALTER TABLE api_keys DROP COLUMN version;
ALTER TABLE api_keys DROP COLUMN updated_at;

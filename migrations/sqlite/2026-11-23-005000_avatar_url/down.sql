ALTER TABLE contacts DROP COLUMN avatar_url;

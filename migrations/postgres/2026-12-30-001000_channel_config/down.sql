ALTER TABLE channels DROP COLUMN config;

ALTER TABLE sessions DROP COLUMN network;

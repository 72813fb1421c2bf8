ALTER TABLE messages DROP COLUMN address;

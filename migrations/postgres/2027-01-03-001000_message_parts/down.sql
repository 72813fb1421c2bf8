DROP TABLE message_parts;
ALTER TABLE messages DROP COLUMN sent_parts;

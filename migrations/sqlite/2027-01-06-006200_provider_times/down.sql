ALTER TABLE messages DROP COLUMN sent_at;

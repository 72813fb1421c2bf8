DROP INDEX CONCURRENTLY IF EXISTS messages_alone_idx;

DELETE FROM messages WHERE conversation_id IS NULL;

ALTER TABLE messages ALTER COLUMN conversation_id SET NOT NULL;

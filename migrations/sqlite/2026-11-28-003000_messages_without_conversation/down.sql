DROP INDEX messages_alone_idx;
DELETE FROM messages WHERE conversation_id IS NULL;
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'conversation_id blob,', 'conversation_id blob NOT NULL,')
    WHERE type = 'table' AND name = 'messages';
PRAGMA writable_schema = RESET;

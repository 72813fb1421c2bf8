-- A message of a broadcast has no conversation until the contact has one on the channel. Until then it is found by its
-- contact. The stored rows are not rewritten: the constraint is removed from the declaration of the table
-- (https://sqlite.org/lang_altertable.html, section 7).
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'conversation_id blob NOT NULL', 'conversation_id blob')
    WHERE type = 'table' AND name = 'messages';
PRAGMA writable_schema = RESET;
CREATE INDEX messages_alone_idx ON messages (contact_id, created_at, id) WHERE conversation_id IS NULL;

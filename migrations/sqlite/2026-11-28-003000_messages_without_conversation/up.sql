-- A message of a broadcast stands in no conversation until there is one, and is found then by its contact. What is stored stays
-- as it is: the column's constraint is taken out of the table's declaration (https://sqlite.org/lang_altertable.html, section 7).
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'conversation_id blob NOT NULL', 'conversation_id blob')
    WHERE type = 'table' AND name = 'messages';
PRAGMA writable_schema = RESET;
CREATE INDEX messages_alone_idx ON messages (contact_id, created_at, id) WHERE conversation_id IS NULL;

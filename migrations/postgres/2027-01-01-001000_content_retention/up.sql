-- Locks: SHARE UPDATE EXCLUSIVE of contacts, conversations, messages
-- Writers: go_on
--
-- Messages, resolved conversations and deleted contacts of all workspaces by age, for their retention.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

CREATE INDEX CONCURRENTLY messages_created_list ON messages (created_at, id) WHERE sender_kind IS NOT NULL;

CREATE INDEX CONCURRENTLY conversations_resolved_idx ON conversations (resolved_at) WHERE resolved_at IS NOT NULL;

CREATE INDEX CONCURRENTLY contacts_deleted_idx ON contacts (deleted_at, id) WHERE deleted_at IS NOT NULL;

-- Messages, resolved conversations and deleted contacts of all workspaces by age, for their retention.
CREATE INDEX messages_created_list ON messages (created_at, id);
CREATE INDEX conversations_resolved_idx ON conversations (resolved_at) WHERE resolved_at IS NOT NULL;
CREATE INDEX contacts_deleted_idx ON contacts (deleted_at, id) WHERE deleted_at IS NOT NULL;

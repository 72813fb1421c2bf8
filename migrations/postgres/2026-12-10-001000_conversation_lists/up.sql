-- Locks: SHARE UPDATE EXCLUSIVE of conversations
-- Writers: go_on
--
-- Conversations by their last message: of a whole workspace, a status or an assignee. The last indexes contain
-- conversations with unread messages.
CREATE INDEX CONCURRENTLY conversations_last_message_list ON conversations (workspace_id, last_message_at, id) WHERE updated_at IS NOT NULL;

CREATE INDEX CONCURRENTLY conversations_of_status_by_message_idx ON conversations (status, workspace_id, last_message_at, id)
    WHERE status IS NOT NULL;

CREATE INDEX CONCURRENTLY conversations_of_assignee_by_message_idx ON conversations (assignee_id, workspace_id, last_message_at, id)
    WHERE assignee_id IS NOT NULL;

CREATE INDEX CONCURRENTLY conversations_unread_idx ON conversations (workspace_id, created_at, id) WHERE unread_count > 0;

CREATE INDEX CONCURRENTLY conversations_unread_by_message_idx ON conversations (workspace_id, last_message_at, id) WHERE unread_count > 0;

-- Conversations by waiting_since: of a whole workspace, a status or an assignee. The last index contains conversations
-- with a waiting contact, by creation.
CREATE INDEX conversations_waiting_list ON conversations (workspace_id, waiting_since, id);

CREATE INDEX conversations_of_status_by_waiting_idx ON conversations (status, workspace_id, waiting_since, id)
    WHERE status IS NOT NULL;

CREATE INDEX conversations_of_assignee_by_waiting_idx ON conversations (assignee_id, workspace_id, waiting_since, id)
    WHERE assignee_id IS NOT NULL;

CREATE INDEX conversations_waiting_idx ON conversations (workspace_id, created_at, id) WHERE waiting_since IS NOT NULL;

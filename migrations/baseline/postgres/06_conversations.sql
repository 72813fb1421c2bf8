-- Conversations and messages.

-- opened_at, awaited_since and replied_at describe the current opening. Reply times are measured from it.
CREATE TABLE conversations (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    contact_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    status text NOT NULL,
    handler text NOT NULL,
    last_message_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    assignee_id uuid,
    snoozed_until timestamptz,
    unread_count bigint NOT NULL DEFAULT 0,
    waiting_since timestamptz,
    first_reply_at timestamptz,
    resolved_at timestamptz,
    reopen_count bigint NOT NULL DEFAULT 0,
    opened_at timestamptz,
    awaited_since timestamptz,
    replied_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, channel_id) REFERENCES channels (workspace_id, id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
) WITH (
    fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000
);
CREATE UNIQUE INDEX conversations_contact_channel_key ON conversations (contact_id, channel_id, workspace_id)
    WHERE contact_id IS NOT NULL;
CREATE INDEX conversations_created_list ON conversations (workspace_id, created_at, id) WHERE updated_at IS NOT NULL;
CREATE INDEX conversations_last_message_list ON conversations (workspace_id, last_message_at, id)
    WHERE updated_at IS NOT NULL;
CREATE INDEX conversations_of_assignee_by_message_idx ON conversations (assignee_id, workspace_id, last_message_at, id)
    WHERE assignee_id IS NOT NULL;
CREATE INDEX conversations_of_assignee_by_waiting_idx ON conversations (assignee_id, workspace_id, waiting_since, id)
    WHERE assignee_id IS NOT NULL;
CREATE INDEX conversations_of_assignee_idx ON conversations (assignee_id, workspace_id, created_at, id)
    WHERE assignee_id IS NOT NULL;
CREATE INDEX conversations_of_status_by_message_idx ON conversations (status, workspace_id, last_message_at, id)
    WHERE status IS NOT NULL;
CREATE INDEX conversations_of_status_by_waiting_idx ON conversations (status, workspace_id, waiting_since, id)
    WHERE status IS NOT NULL;
CREATE INDEX conversations_of_status_idx ON conversations (status, workspace_id, created_at, id)
    WHERE status IS NOT NULL;
CREATE INDEX conversations_unread_by_message_idx ON conversations (workspace_id, last_message_at, id)
    WHERE unread_count > 0;
CREATE INDEX conversations_unread_idx ON conversations (workspace_id, created_at, id) WHERE unread_count > 0;
CREATE INDEX conversations_waiting_idx ON conversations (workspace_id, created_at, id)
    WHERE waiting_since IS NOT NULL;
CREATE INDEX conversations_waiting_list ON conversations (workspace_id, waiting_since, id)
    WHERE updated_at IS NOT NULL;

-- A message of a broadcast has no conversation until the contact has one on the channel. parts contains attachments, quick replies
-- and templates.
CREATE TABLE messages (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    conversation_id uuid,
    contact_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    direction text NOT NULL,
    text text NOT NULL,
    status text NOT NULL,
    history text NOT NULL,
    error text,
    sender_kind text NOT NULL,
    sender_id text,
    provider_message_id text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    type text NOT NULL DEFAULT 'text',
    parts text,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id)
);
CREATE UNIQUE INDEX messages_inbound_key ON messages (workspace_id, channel_id, provider_message_id)
    WHERE direction = 'inbound';
CREATE INDEX messages_alone_idx ON messages (contact_id, created_at, id) WHERE conversation_id IS NULL;
CREATE INDEX messages_of_channel_idx ON messages (channel_id, created_at, id) WHERE direction = 'outbound';
CREATE INDEX messages_of_conversation_idx ON messages (conversation_id, created_at, id)
    WHERE conversation_id IS NOT NULL;
CREATE INDEX messages_of_provider_idx ON messages (channel_id, provider_message_id, created_at, id)
    WHERE provider_message_id IS NOT NULL;
CREATE INDEX messages_with_error_idx ON messages (contact_id, created_at, id) WHERE error IS NOT NULL;

CREATE TABLE saved_replies (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    text text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX saved_replies_name_key ON saved_replies (workspace_id, name_key) WHERE name_key IS NOT NULL;
CREATE INDEX saved_replies_created_list ON saved_replies (workspace_id, created_at, id) WHERE updated_at IS NOT NULL;

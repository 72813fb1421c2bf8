-- Each query has one index to use, even if the planner has no statistics. Without them, a planner rates all indexes
-- that begin with workspace_id equally, and it scanned a whole index for each lookup.
--
-- Therefore an index begins with the column that only its queries name, and the workspace of the rows is only checked.
-- The index contains only rows with a value in that column, which are often all rows. So the planner cannot use it, not
-- even for a full scan, for a query that does not name the column. An index of a whole workspace begins with
-- workspace_id. All other rows are read by workspace_id and id: the primary key.

DROP INDEX contacts_external_id_key;
CREATE UNIQUE INDEX contacts_external_id_key ON contacts (workspace_id, external_id)
    WHERE external_id IS NOT NULL AND deleted_at IS NULL;
DROP INDEX contacts_email_key;
CREATE UNIQUE INDEX contacts_email_key ON contacts (workspace_id, email)
    WHERE email IS NOT NULL AND deleted_at IS NULL;
DROP INDEX contacts_phone_key;
CREATE UNIQUE INDEX contacts_phone_key ON contacts (workspace_id, phone)
    WHERE phone IS NOT NULL AND deleted_at IS NULL;
DROP INDEX contact_identities_address_key;
CREATE UNIQUE INDEX contact_identities_address_key ON contact_identities (workspace_id, channel_id, address)
    WHERE live AND address IS NOT NULL;
DROP INDEX tags_name_key;
CREATE UNIQUE INDEX tags_name_key ON tags (workspace_id, name_key)
    WHERE name_key IS NOT NULL;
DROP INDEX custom_fields_key_key;
CREATE UNIQUE INDEX custom_fields_key_key ON custom_fields (workspace_id, key)
    WHERE key IS NOT NULL;
DROP INDEX bot_fields_key_key;
CREATE UNIQUE INDEX bot_fields_key_key ON bot_fields (workspace_id, key)
    WHERE key IS NOT NULL;
DROP INDEX conversations_contact_channel_key;
CREATE UNIQUE INDEX conversations_contact_channel_key ON conversations (contact_id, channel_id, workspace_id)
    WHERE contact_id IS NOT NULL;
DROP INDEX flow_runs_live_key;
CREATE UNIQUE INDEX flow_runs_live_key ON flow_runs (flow_id, contact_id, slot, workspace_id)
    WHERE flow_id IS NOT NULL AND ended_at IS NULL;
DROP INDEX flow_runs_cause_key;
CREATE UNIQUE INDEX flow_runs_cause_key ON flow_runs (cause_id, flow_id, workspace_id)
    WHERE cause_id IS NOT NULL;
DROP INDEX enrollments_live_key;
CREATE UNIQUE INDEX enrollments_live_key ON enrollments (sequence_id, contact_id, workspace_id)
    WHERE sequence_id IS NOT NULL AND ended_at IS NULL;
DROP INDEX enrollments_number_key;
CREATE UNIQUE INDEX enrollments_number_key ON enrollments (contact_id, sequence_id, number, workspace_id)
    WHERE contact_id IS NOT NULL;
DROP INDEX deliveries_event_webhook_key;
CREATE UNIQUE INDEX deliveries_event_webhook_key ON deliveries (event_id, webhook_id, workspace_id)
    WHERE event_id IS NOT NULL;
DROP INDEX contacts_created_idx;
CREATE INDEX contacts_created_list ON contacts (workspace_id, created_at, id)
    WHERE deleted_at IS NULL;
DROP INDEX contacts_updated_idx;
CREATE INDEX contacts_updated_list ON contacts (workspace_id, updated_at, id)
    WHERE deleted_at IS NULL;
DROP INDEX contacts_last_message_idx;
CREATE INDEX contacts_last_message_list ON contacts (workspace_id, last_message_at, id)
    WHERE deleted_at IS NULL;
DROP INDEX contacts_name_idx;
CREATE INDEX contacts_name_list ON contacts (workspace_id, name_key, id)
    WHERE deleted_at IS NULL;
DROP INDEX tags_created_idx;
CREATE INDEX tags_created_list ON tags (workspace_id, created_at, id);
DROP INDEX contact_tags_tag_idx;
CREATE INDEX contact_tags_of_tag_idx ON contact_tags (tag_id, contact_id)
    WHERE tag_id IS NOT NULL;
DROP INDEX contact_values_match_idx;
CREATE INDEX contact_values_of_field_idx ON contact_values (field_id, match_key, contact_id)
    WHERE field_id IS NOT NULL;
DROP INDEX channels_created_idx;
CREATE INDEX channels_created_list ON channels (workspace_id, created_at, id);
DROP INDEX conversations_created_idx;
CREATE INDEX conversations_created_list ON conversations (workspace_id, created_at, id);
DROP INDEX conversations_status_idx;
CREATE INDEX conversations_of_status_idx ON conversations (status, workspace_id, created_at, id)
    WHERE status IS NOT NULL;
DROP INDEX conversations_assignee_idx;
CREATE INDEX conversations_of_assignee_idx ON conversations (assignee_id, workspace_id, created_at, id)
    WHERE assignee_id IS NOT NULL;
DROP INDEX messages_conversation_idx;
CREATE INDEX messages_of_conversation_idx ON messages (conversation_id, created_at, id)
    WHERE conversation_id IS NOT NULL;
DROP INDEX messages_channel_idx;
CREATE INDEX messages_of_channel_idx ON messages (channel_id, created_at, id)
    WHERE direction = 'outbound';
DROP INDEX messages_provider_idx;
CREATE INDEX messages_of_provider_idx ON messages (channel_id, provider_message_id, created_at, id)
    WHERE provider_message_id IS NOT NULL;
DROP INDEX flows_created_idx;
CREATE INDEX flows_created_list ON flows (workspace_id, created_at, id);
DROP INDEX flow_runs_starts_idx;
CREATE INDEX flow_runs_of_contact_idx ON flow_runs (contact_id, started_at, id)
    WHERE contact_id IS NOT NULL;
DROP INDEX flow_runs_flow_idx;
CREATE INDEX flow_runs_of_flow_idx ON flow_runs (flow_id, started_at, id)
    WHERE flow_id IS NOT NULL;
DROP INDEX flow_runs_started_idx;
CREATE INDEX flow_runs_started_list ON flow_runs (workspace_id, started_at, id);
DROP INDEX flow_runs_reply_idx;
CREATE INDEX flow_runs_awaiting_idx ON flow_runs (contact_id)
    WHERE wait_kind = 'reply';
DROP INDEX sequences_created_idx;
CREATE INDEX sequences_created_list ON sequences (workspace_id, created_at, id);
DROP INDEX enrollments_contact_idx;
CREATE INDEX enrollments_of_contact_idx ON enrollments (contact_id, started_at, id)
    WHERE contact_id IS NOT NULL;
DROP INDEX enrollments_sequence_idx;
CREATE INDEX enrollments_of_sequence_idx ON enrollments (sequence_id, started_at, id)
    WHERE sequence_id IS NOT NULL;
DROP INDEX enrollments_revision_idx;
CREATE INDEX enrollments_outdated_idx ON enrollments (sequence_id, revision, id)
    WHERE sequence_id IS NOT NULL AND ended_at IS NULL;
DROP INDEX deliveries_webhook_idx;
CREATE INDEX deliveries_of_webhook_idx ON deliveries (webhook_id, created_at, id)
    WHERE webhook_id IS NOT NULL;
DROP INDEX object_references_target_idx;
CREATE INDEX object_references_of_target_idx ON object_references (target_id, target_kind)
    WHERE target_id IS NOT NULL;
-- Claimed jobs are found by the primary key.
DROP INDEX jobs_claimed_idx;

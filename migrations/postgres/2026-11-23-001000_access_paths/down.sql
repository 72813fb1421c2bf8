CREATE INDEX jobs_claimed_idx ON jobs (id) WHERE claimed;
DROP INDEX object_references_of_target_idx;
CREATE INDEX object_references_target_idx ON object_references (workspace_id, target_kind, target_id);
DROP INDEX deliveries_of_webhook_idx;
CREATE INDEX deliveries_webhook_idx ON deliveries (workspace_id, webhook_id, created_at, id);
DROP INDEX enrollments_outdated_idx;
CREATE INDEX enrollments_revision_idx ON enrollments (workspace_id, sequence_id, revision)
    WHERE ended_at IS NULL;
DROP INDEX enrollments_of_sequence_idx;
DROP INDEX enrollments_of_contact_idx;
CREATE INDEX enrollments_contact_idx ON enrollments (workspace_id, contact_id, started_at, id);
DROP INDEX sequences_created_list;
DROP INDEX flow_runs_awaiting_idx;
CREATE INDEX flow_runs_reply_idx ON flow_runs (workspace_id, contact_id)
    WHERE wait_kind = 'reply';
DROP INDEX flow_runs_started_list;
DROP INDEX flow_runs_of_flow_idx;
DROP INDEX flow_runs_of_contact_idx;
CREATE INDEX flow_runs_starts_idx ON flow_runs (workspace_id, contact_id, flow_id, started_at);
DROP INDEX flows_created_list;
DROP INDEX messages_of_provider_idx;
CREATE INDEX messages_provider_idx ON messages (workspace_id, channel_id, provider_message_id);
DROP INDEX messages_of_channel_idx;
CREATE INDEX messages_channel_idx ON messages (workspace_id, channel_id, created_at, id);
DROP INDEX messages_of_conversation_idx;
CREATE INDEX messages_conversation_idx ON messages (workspace_id, conversation_id, created_at, id);
DROP INDEX conversations_of_assignee_idx;
CREATE INDEX conversations_assignee_idx ON conversations (workspace_id, assignee_id, created_at, id);
DROP INDEX conversations_of_status_idx;
CREATE INDEX conversations_status_idx ON conversations (workspace_id, status, created_at, id);
DROP INDEX conversations_created_list;
DROP INDEX channels_created_list;
DROP INDEX contact_values_of_field_idx;
CREATE INDEX contact_values_match_idx ON contact_values (workspace_id, field_id, match_key, contact_id);
DROP INDEX contact_tags_of_tag_idx;
CREATE INDEX contact_tags_tag_idx ON contact_tags (workspace_id, tag_id, contact_id);
DROP INDEX tags_created_list;
DROP INDEX contacts_name_list;
DROP INDEX contacts_last_message_list;
DROP INDEX contacts_updated_list;
DROP INDEX contacts_created_list;
DROP INDEX deliveries_event_webhook_key;
CREATE UNIQUE INDEX deliveries_event_webhook_key ON deliveries (workspace_id, event_id, webhook_id);
DROP INDEX enrollments_number_key;
CREATE UNIQUE INDEX enrollments_number_key ON enrollments (workspace_id, sequence_id, contact_id, number);
DROP INDEX enrollments_live_key;
CREATE UNIQUE INDEX enrollments_live_key ON enrollments (workspace_id, sequence_id, contact_id)
    WHERE ended_at IS NULL;
DROP INDEX flow_runs_cause_key;
CREATE UNIQUE INDEX flow_runs_cause_key ON flow_runs (workspace_id, cause_id, flow_id)
    WHERE cause_id IS NOT NULL;
DROP INDEX flow_runs_live_key;
CREATE UNIQUE INDEX flow_runs_live_key ON flow_runs (workspace_id, flow_id, contact_id, slot)
    WHERE ended_at IS NULL;
DROP INDEX conversations_contact_channel_key;
CREATE UNIQUE INDEX conversations_contact_channel_key ON conversations (workspace_id, contact_id, channel_id);
DROP INDEX bot_fields_key_key;
CREATE UNIQUE INDEX bot_fields_key_key ON bot_fields (workspace_id, key);
DROP INDEX custom_fields_key_key;
CREATE UNIQUE INDEX custom_fields_key_key ON custom_fields (workspace_id, key);
DROP INDEX tags_name_key;
CREATE UNIQUE INDEX tags_name_key ON tags (workspace_id, name_key);
DROP INDEX contact_identities_address_key;
CREATE UNIQUE INDEX contact_identities_address_key ON contact_identities (workspace_id, channel_id, address)
    WHERE live;
DROP INDEX contacts_phone_key;
CREATE UNIQUE INDEX contacts_phone_key ON contacts (workspace_id, phone)
    WHERE deleted_at IS NULL;
DROP INDEX contacts_email_key;
CREATE UNIQUE INDEX contacts_email_key ON contacts (workspace_id, email)
    WHERE deleted_at IS NULL;
DROP INDEX contacts_external_id_key;
CREATE UNIQUE INDEX contacts_external_id_key ON contacts (workspace_id, external_id)
    WHERE deleted_at IS NULL;

-- Locks: ACCESS EXCLUSIVE of bot_fields, contact_identities, contacts, conversations, custom_fields, deliveries, enrollments
-- Locks: ACCESS EXCLUSIVE of flow_runs, tags
-- Locks: SHARE UPDATE EXCLUSIVE of bot_fields, channels, contact_identities, contact_tags, contact_values, contacts
-- Locks: SHARE UPDATE EXCLUSIVE of conversations, custom_fields, deliveries, enrollments, flow_runs, flows, jobs, messages
-- Locks: SHARE UPDATE EXCLUSIVE of object_references, sequences, tags
-- Writers: wait_shortly
--
-- Each query has one index to use, even if the planner has no statistics. Without them, a planner rates all indexes
-- that begin with workspace_id equally, and it scanned a whole index for each lookup.
--
-- Therefore an index begins with the column that only its queries name, and the workspace of the rows is only checked.
-- The index contains only rows with a value in that column, which are often all rows. So the planner cannot use it, not
-- even for a full scan, for a query that does not name the column. In the same way, an index of a whole workspace
-- (_list) is limited to `updated_at IS NOT NULL`, which only such lists ask for. All other rows are read by
-- workspace_id and id: the primary key.
--
-- The indexes are created beside the old ones while clients write. The steps are separated by empty lines. Each is a
-- transaction, and all can be repeated. Lists that the earlier release uses keep their indexes; indexes_after_rollout
-- drops these.

CREATE UNIQUE INDEX CONCURRENTLY contacts_external_id_key_new ON contacts (workspace_id, external_id)
    WHERE external_id IS NOT NULL AND deleted_at IS NULL;

DROP INDEX IF EXISTS contacts_external_id_key;
ALTER INDEX contacts_external_id_key_new RENAME TO contacts_external_id_key;

CREATE UNIQUE INDEX CONCURRENTLY contacts_email_key_new ON contacts (workspace_id, email)
    WHERE email IS NOT NULL AND deleted_at IS NULL;

DROP INDEX IF EXISTS contacts_email_key;
ALTER INDEX contacts_email_key_new RENAME TO contacts_email_key;

CREATE UNIQUE INDEX CONCURRENTLY contacts_phone_key_new ON contacts (workspace_id, phone)
    WHERE phone IS NOT NULL AND deleted_at IS NULL;

DROP INDEX IF EXISTS contacts_phone_key;
ALTER INDEX contacts_phone_key_new RENAME TO contacts_phone_key;

CREATE UNIQUE INDEX CONCURRENTLY contact_identities_address_key_new ON contact_identities (workspace_id, channel_id, address)
    WHERE live AND address IS NOT NULL;

DROP INDEX IF EXISTS contact_identities_address_key;
ALTER INDEX contact_identities_address_key_new RENAME TO contact_identities_address_key;

CREATE UNIQUE INDEX CONCURRENTLY tags_name_key_new ON tags (workspace_id, name_key)
    WHERE name_key IS NOT NULL;

DROP INDEX IF EXISTS tags_name_key;
ALTER INDEX tags_name_key_new RENAME TO tags_name_key;

CREATE UNIQUE INDEX CONCURRENTLY custom_fields_key_key_new ON custom_fields (workspace_id, key)
    WHERE key IS NOT NULL;

DROP INDEX IF EXISTS custom_fields_key_key;
ALTER INDEX custom_fields_key_key_new RENAME TO custom_fields_key_key;

CREATE UNIQUE INDEX CONCURRENTLY bot_fields_key_key_new ON bot_fields (workspace_id, key)
    WHERE key IS NOT NULL;

DROP INDEX IF EXISTS bot_fields_key_key;
ALTER INDEX bot_fields_key_key_new RENAME TO bot_fields_key_key;

CREATE UNIQUE INDEX CONCURRENTLY conversations_contact_channel_key_new ON conversations (contact_id, channel_id, workspace_id)
    WHERE contact_id IS NOT NULL;

DROP INDEX IF EXISTS conversations_contact_channel_key;
ALTER INDEX conversations_contact_channel_key_new RENAME TO conversations_contact_channel_key;

CREATE UNIQUE INDEX CONCURRENTLY flow_runs_live_key_new ON flow_runs (flow_id, contact_id, slot, workspace_id)
    WHERE flow_id IS NOT NULL AND ended_at IS NULL;

DROP INDEX IF EXISTS flow_runs_live_key;
ALTER INDEX flow_runs_live_key_new RENAME TO flow_runs_live_key;

CREATE UNIQUE INDEX CONCURRENTLY flow_runs_cause_key_new ON flow_runs (cause_id, flow_id, workspace_id)
    WHERE cause_id IS NOT NULL;

DROP INDEX IF EXISTS flow_runs_cause_key;
ALTER INDEX flow_runs_cause_key_new RENAME TO flow_runs_cause_key;

CREATE UNIQUE INDEX CONCURRENTLY enrollments_live_key_new ON enrollments (sequence_id, contact_id, workspace_id)
    WHERE sequence_id IS NOT NULL AND ended_at IS NULL;

DROP INDEX IF EXISTS enrollments_live_key;
ALTER INDEX enrollments_live_key_new RENAME TO enrollments_live_key;

CREATE UNIQUE INDEX CONCURRENTLY enrollments_number_key_new ON enrollments (contact_id, sequence_id, number, workspace_id)
    WHERE contact_id IS NOT NULL;

DROP INDEX IF EXISTS enrollments_number_key;
ALTER INDEX enrollments_number_key_new RENAME TO enrollments_number_key;

CREATE UNIQUE INDEX CONCURRENTLY deliveries_event_webhook_key_new ON deliveries (event_id, webhook_id, workspace_id)
    WHERE event_id IS NOT NULL;

DROP INDEX IF EXISTS deliveries_event_webhook_key;
ALTER INDEX deliveries_event_webhook_key_new RENAME TO deliveries_event_webhook_key;

CREATE INDEX CONCURRENTLY contacts_created_list ON contacts (workspace_id, created_at, id)
    WHERE updated_at IS NOT NULL AND deleted_at IS NULL;

CREATE INDEX CONCURRENTLY contacts_updated_list ON contacts (workspace_id, updated_at, id)
    WHERE updated_at IS NOT NULL AND deleted_at IS NULL;

CREATE INDEX CONCURRENTLY contacts_last_message_list ON contacts (workspace_id, last_message_at, id)
    WHERE updated_at IS NOT NULL AND deleted_at IS NULL;

CREATE INDEX CONCURRENTLY contacts_name_list ON contacts (workspace_id, name_key, id)
    WHERE updated_at IS NOT NULL AND deleted_at IS NULL;

CREATE INDEX CONCURRENTLY tags_created_list ON tags (workspace_id, created_at, id)
    WHERE updated_at IS NOT NULL;

CREATE INDEX CONCURRENTLY contact_tags_of_tag_idx ON contact_tags (tag_id, contact_id)
    WHERE tag_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS contact_tags_tag_idx;

CREATE INDEX CONCURRENTLY contact_values_of_field_idx ON contact_values (field_id, match_key, contact_id)
    WHERE field_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS contact_values_match_idx;

CREATE INDEX CONCURRENTLY channels_created_list ON channels (workspace_id, created_at, id)
    WHERE updated_at IS NOT NULL;

CREATE INDEX CONCURRENTLY conversations_created_list ON conversations (workspace_id, created_at, id)
    WHERE updated_at IS NOT NULL;

CREATE INDEX CONCURRENTLY conversations_of_status_idx ON conversations (status, workspace_id, created_at, id)
    WHERE status IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS conversations_status_idx;

CREATE INDEX CONCURRENTLY conversations_of_assignee_idx ON conversations (assignee_id, workspace_id, created_at, id)
    WHERE assignee_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS conversations_assignee_idx;

CREATE INDEX CONCURRENTLY messages_of_conversation_idx ON messages (conversation_id, created_at, id)
    WHERE conversation_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS messages_conversation_idx;

CREATE INDEX CONCURRENTLY messages_of_channel_idx ON messages (channel_id, created_at, id)
    WHERE direction = 'outbound';

DROP INDEX CONCURRENTLY IF EXISTS messages_channel_idx;

CREATE INDEX CONCURRENTLY messages_of_provider_idx ON messages (channel_id, provider_message_id, created_at, id)
    WHERE provider_message_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS messages_provider_idx;

CREATE INDEX CONCURRENTLY flows_created_list ON flows (workspace_id, created_at, id)
    WHERE updated_at IS NOT NULL;

CREATE INDEX CONCURRENTLY flow_runs_of_contact_idx ON flow_runs (contact_id, started_at, id)
    WHERE contact_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS flow_runs_starts_idx;

CREATE INDEX CONCURRENTLY flow_runs_of_flow_idx ON flow_runs (flow_id, started_at, id)
    WHERE flow_id IS NOT NULL AND updated_at IS NOT NULL;

CREATE INDEX CONCURRENTLY flow_runs_started_list ON flow_runs (workspace_id, started_at, id)
    WHERE updated_at IS NOT NULL;

CREATE INDEX CONCURRENTLY flow_runs_awaiting_idx ON flow_runs (contact_id)
    WHERE wait_kind = 'reply';

DROP INDEX CONCURRENTLY IF EXISTS flow_runs_reply_idx;

CREATE INDEX CONCURRENTLY sequences_created_list ON sequences (workspace_id, created_at, id)
    WHERE updated_at IS NOT NULL;

CREATE INDEX CONCURRENTLY enrollments_of_contact_idx ON enrollments (contact_id, started_at, id)
    WHERE contact_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS enrollments_contact_idx;

CREATE INDEX CONCURRENTLY enrollments_of_sequence_idx ON enrollments (sequence_id, started_at, id)
    WHERE sequence_id IS NOT NULL AND updated_at IS NOT NULL;

CREATE INDEX CONCURRENTLY enrollments_outdated_idx ON enrollments (sequence_id, revision, id)
    WHERE sequence_id IS NOT NULL AND ended_at IS NULL;

DROP INDEX CONCURRENTLY IF EXISTS enrollments_revision_idx;

CREATE INDEX CONCURRENTLY deliveries_of_webhook_idx ON deliveries (webhook_id, created_at, id)
    WHERE webhook_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS deliveries_webhook_idx;

CREATE INDEX CONCURRENTLY object_references_of_target_idx ON object_references (target_id, target_kind)
    WHERE target_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS object_references_target_idx;

-- Claimed jobs are found by the primary key.
DROP INDEX CONCURRENTLY IF EXISTS jobs_claimed_idx;

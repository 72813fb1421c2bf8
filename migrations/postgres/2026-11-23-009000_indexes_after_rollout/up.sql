-- Locks: ACCESS EXCLUSIVE of webhooks
-- Locks: SHARE UPDATE EXCLUSIVE of channels, contacts, conversations, enrollments, events, flow_runs, flows, sequences, tags
-- Writers: wait_shortly
--
-- The earlier release uses these indexes for its lists, and to count events without a position. This release has its
-- own (access_paths, event_positions). They are dropped when no process of the earlier release is running. Without
-- them, that release sorts a whole workspace for each page, and reads all events for its metrics.

DROP INDEX CONCURRENTLY IF EXISTS contacts_created_idx;

DROP INDEX CONCURRENTLY IF EXISTS contacts_updated_idx;

DROP INDEX CONCURRENTLY IF EXISTS contacts_last_message_idx;

DROP INDEX CONCURRENTLY IF EXISTS contacts_name_idx;

DROP INDEX CONCURRENTLY IF EXISTS tags_created_idx;

DROP INDEX CONCURRENTLY IF EXISTS channels_created_idx;

DROP INDEX CONCURRENTLY IF EXISTS conversations_created_idx;

DROP INDEX CONCURRENTLY IF EXISTS flows_created_idx;

DROP INDEX CONCURRENTLY IF EXISTS flow_runs_flow_idx;

DROP INDEX CONCURRENTLY IF EXISTS flow_runs_started_idx;

DROP INDEX CONCURRENTLY IF EXISTS sequences_created_idx;

DROP INDEX CONCURRENTLY IF EXISTS enrollments_sequence_idx;

DROP INDEX CONCURRENTLY IF EXISTS events_unnumbered_idx;

-- The trigger of delivery_queue is not needed either when no process of that release enables or deletes webhooks.
DROP TRIGGER IF EXISTS webhooks_call_for_deliveries ON webhooks;
DROP FUNCTION IF EXISTS call_for_deliveries();

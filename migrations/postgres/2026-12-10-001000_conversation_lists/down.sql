DROP INDEX CONCURRENTLY IF EXISTS conversations_last_message_list;

DROP INDEX CONCURRENTLY IF EXISTS conversations_of_status_by_message_idx;

DROP INDEX CONCURRENTLY IF EXISTS conversations_of_assignee_by_message_idx;

DROP INDEX CONCURRENTLY IF EXISTS conversations_unread_idx;

DROP INDEX CONCURRENTLY IF EXISTS conversations_unread_by_message_idx;

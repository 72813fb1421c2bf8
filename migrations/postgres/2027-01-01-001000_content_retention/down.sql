DROP INDEX CONCURRENTLY IF EXISTS contacts_deleted_idx;

DROP INDEX CONCURRENTLY IF EXISTS conversations_resolved_idx;

DROP INDEX CONCURRENTLY IF EXISTS messages_created_list;

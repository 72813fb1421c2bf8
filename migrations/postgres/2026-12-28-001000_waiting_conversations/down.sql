DROP INDEX CONCURRENTLY IF EXISTS conversations_waiting_list;

DROP INDEX CONCURRENTLY IF EXISTS conversations_of_status_by_waiting_idx;

DROP INDEX CONCURRENTLY IF EXISTS conversations_of_assignee_by_waiting_idx;

DROP INDEX CONCURRENTLY IF EXISTS conversations_waiting_idx;

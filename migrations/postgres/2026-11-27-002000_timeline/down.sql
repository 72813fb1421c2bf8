DROP INDEX CONCURRENTLY IF EXISTS messages_with_error_idx;

DROP INDEX CONCURRENTLY IF EXISTS events_of_contact_idx;

DROP INDEX contacts_deleted_idx;
DROP INDEX conversations_resolved_idx;
DROP INDEX messages_created_list;

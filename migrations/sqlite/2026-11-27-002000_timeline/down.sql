DROP INDEX messages_with_error_idx;
DROP INDEX events_of_contact_idx;

-- Locks: SHARE UPDATE EXCLUSIVE of events, messages
-- Writers: go_on
--
-- Timelines of contacts: their events, and suppressed messages to them, newest first. A message that is sent, delivered
-- and read has no error, so its changes do not touch the second index.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

CREATE INDEX CONCURRENTLY events_of_contact_idx ON events (contact_id, at, id) WHERE contact_id IS NOT NULL;

CREATE INDEX CONCURRENTLY messages_with_error_idx ON messages (contact_id, created_at, id) WHERE error IS NOT NULL;

-- Locks: SHARE UPDATE EXCLUSIVE of events, messages
-- Writers: go_on
--
-- Timelines of contacts: their events, and the messages to them that were suppressed, newest first. A message that is sent,
-- delivered and read has no error, so that its changes leave the second one alone.
--
-- The steps stand apart by empty lines; each is a transaction of its own, and all may be done once more.

CREATE INDEX CONCURRENTLY events_of_contact_idx ON events (contact_id, at, id) WHERE contact_id IS NOT NULL;

CREATE INDEX CONCURRENTLY messages_with_error_idx ON messages (contact_id, created_at, id) WHERE error IS NOT NULL;

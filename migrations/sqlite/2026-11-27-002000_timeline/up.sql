-- Timelines of contacts: their events, and suppressed messages to them, newest first.
CREATE INDEX events_of_contact_idx ON events (contact_id, at, id) WHERE contact_id IS NOT NULL;
CREATE INDEX messages_with_error_idx ON messages (contact_id, created_at, id) WHERE error IS NOT NULL;

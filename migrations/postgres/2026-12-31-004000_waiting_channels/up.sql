-- Locks: ACCESS EXCLUSIVE of channels
-- Writers: wait_shortly
--
-- What happens to messages while a channel is disconnected by its provider, as JSON; null: by the type of the channel.
-- Until when they wait; null: they do not.
ALTER TABLE channels ADD COLUMN while_disconnected text, ADD COLUMN waits_until timestamptz;

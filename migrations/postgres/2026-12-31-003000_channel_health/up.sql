-- Locks: ACCESS EXCLUSIVE of channels
-- Writers: wait_shortly
--
-- The state of a channel at its provider, as JSON, with its own version. Null: nothing is known.
ALTER TABLE channels ADD COLUMN health text, ADD COLUMN health_version bigint NOT NULL DEFAULT 0;

-- Locks: ACCESS EXCLUSIVE of conversations
-- Writers: wait_shortly
--
-- When the contact last stopped and last resumed the marketing messages of the provider. Null: the provider has reported
-- neither.
ALTER TABLE conversations
    ADD COLUMN marketing_stopped_at timestamptz,
    ADD COLUMN marketing_resumed_at timestamptz;

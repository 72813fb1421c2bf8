-- Locks: ACCESS EXCLUSIVE of conversations
-- Writers: wait_shortly
--
-- The current opening of a conversation, and counts of reply times by quarter of an hour. Reply times are measured from
-- the opening.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

ALTER TABLE conversations ADD COLUMN IF NOT EXISTS opened_at timestamptz;
ALTER TABLE conversations ADD COLUMN IF NOT EXISTS awaited_since timestamptz;
ALTER TABLE conversations ADD COLUMN IF NOT EXISTS replied_at timestamptz;

CREATE TABLE IF NOT EXISTS reply_times (
    workspace_id uuid NOT NULL,
    quarter timestamptz NOT NULL,
    measure text NOT NULL,
    channel_id uuid NOT NULL,
    user_id uuid NOT NULL,
    bucket integer NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (workspace_id, quarter, measure, channel_id, user_id, bucket)
);

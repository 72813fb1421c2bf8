-- The current opening of a conversation, and counts of reply times by quarter of an hour. Reply times are measured from
-- the opening.
ALTER TABLE conversations ADD COLUMN opened_at integer;
ALTER TABLE conversations ADD COLUMN awaited_since integer;
ALTER TABLE conversations ADD COLUMN replied_at integer;
CREATE TABLE reply_times (
    workspace_id blob NOT NULL,
    quarter integer NOT NULL,
    measure text NOT NULL,
    channel_id blob NOT NULL,
    user_id blob NOT NULL,
    bucket integer NOT NULL,
    amount integer NOT NULL,
    PRIMARY KEY (workspace_id, quarter, measure, channel_id, user_id, bucket)
) STRICT;

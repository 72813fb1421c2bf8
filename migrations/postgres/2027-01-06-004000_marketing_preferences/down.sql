ALTER TABLE conversations
    DROP COLUMN marketing_stopped_at,
    DROP COLUMN marketing_resumed_at;

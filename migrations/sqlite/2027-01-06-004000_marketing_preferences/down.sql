ALTER TABLE conversations DROP COLUMN marketing_stopped_at;
ALTER TABLE conversations DROP COLUMN marketing_resumed_at;

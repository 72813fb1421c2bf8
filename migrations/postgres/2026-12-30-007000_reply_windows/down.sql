ALTER TABLE conversations DROP COLUMN window_expires_at;

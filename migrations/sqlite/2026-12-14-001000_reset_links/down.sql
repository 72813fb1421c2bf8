DROP INDEX users_reset_digest;
ALTER TABLE users DROP COLUMN reset_expires_at;
ALTER TABLE users DROP COLUMN reset_digest;

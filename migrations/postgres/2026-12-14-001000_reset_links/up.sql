-- Locks: ACCESS EXCLUSIVE of users
-- Locks: SHARE of users
-- Writers: wait
--
-- The password reset link of a user: the SHA-256 of its token, and its expiry.

ALTER TABLE users ADD COLUMN reset_digest bytea;
ALTER TABLE users ADD COLUMN reset_expires_at timestamptz;
CREATE INDEX users_reset_digest ON users (reset_digest) WHERE reset_digest IS NOT NULL;

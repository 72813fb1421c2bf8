-- Locks: ACCESS EXCLUSIVE of users
-- Locks: SHARE of users
-- Writers: wait
--
-- The link that may set another password of a person: SHA-256 of its token, and until when.

ALTER TABLE users ADD COLUMN reset_digest bytea;
ALTER TABLE users ADD COLUMN reset_expires_at timestamptz;
CREATE INDEX users_reset_digest ON users (reset_digest) WHERE reset_digest IS NOT NULL;

-- Locks: ACCESS EXCLUSIVE of api_keys
-- Writers: wait_shortly
--
-- Keys have versions, as other objects have. What the release before this one writes counts as the first one, changed when
-- it was made.
ALTER TABLE api_keys ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE api_keys ADD COLUMN updated_at timestamptz;

-- The version of a key. Keys that the earlier release writes have version 1 and were last changed when they were
-- created.
ALTER TABLE api_keys ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE api_keys ADD COLUMN updated_at integer;

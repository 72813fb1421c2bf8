-- Locks: ACCESS EXCLUSIVE of contacts, tags
-- Locks: SHARE UPDATE EXCLUSIVE of contacts, tags
-- Writers: wait_shortly
--
-- The sort key of the name, and the version of the row that it was made for. A row with another version was written by
-- a release without sort keys, and gets its key later.
--
-- The indexes are created beside the old ones while clients write. The steps are separated by empty lines. Each is a
-- transaction, and all can be repeated.

ALTER TABLE contacts ADD COLUMN IF NOT EXISTS sort_key bytea;
ALTER TABLE contacts ADD COLUMN IF NOT EXISTS sorted_version bigint;

ALTER TABLE tags ADD COLUMN IF NOT EXISTS sort_key bytea;
ALTER TABLE tags ADD COLUMN IF NOT EXISTS sorted_version bigint;

CREATE INDEX CONCURRENTLY contacts_sorted_list ON contacts (workspace_id, sort_key, id)
    WHERE updated_at IS NOT NULL AND deleted_at IS NULL;

CREATE INDEX CONCURRENTLY contacts_unsorted_idx ON contacts (workspace_id, sorted_version, id)
    WHERE sorted_version IS DISTINCT FROM version;

CREATE INDEX CONCURRENTLY tags_sorted_list ON tags (workspace_id, sort_key, id)
    WHERE updated_at IS NOT NULL;

CREATE INDEX CONCURRENTLY tags_unsorted_idx ON tags (workspace_id, sorted_version, id)
    WHERE sorted_version IS DISTINCT FROM version;

-- Locks: ACCESS EXCLUSIVE of contacts, tags
-- Locks: SHARE UPDATE EXCLUSIVE of contacts, tags
-- Writers: wait_shortly
--
-- The key by which names are sorted, and the version of the row for whose name it was made. A row with another version was
-- written by a release that makes no such keys; it gets its key later.
--
-- Made beside the old indexes while others write. The steps stand apart by empty lines; each is a transaction of its own, and
-- all may be done once more.

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

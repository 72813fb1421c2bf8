-- The sort key of the name, and the version of the row that it was made for. A row with another version was written by
-- a release without sort keys, and gets its key later.

ALTER TABLE contacts ADD COLUMN sort_key blob;
ALTER TABLE contacts ADD COLUMN sorted_version integer;
ALTER TABLE tags ADD COLUMN sort_key blob;
ALTER TABLE tags ADD COLUMN sorted_version integer;
CREATE INDEX contacts_sorted_list ON contacts (workspace_id, sort_key, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_unsorted_idx ON contacts (workspace_id, sorted_version, id) WHERE sorted_version IS NOT version;
CREATE INDEX tags_sorted_list ON tags (workspace_id, sort_key, id);
CREATE INDEX tags_unsorted_idx ON tags (workspace_id, sorted_version, id) WHERE sorted_version IS NOT version;

-- The objects that the words of drafts and versions of flows name, by the JSON pointer of each word.

ALTER TABLE flows ADD COLUMN bindings TEXT;
ALTER TABLE flow_versions ADD COLUMN bindings TEXT;

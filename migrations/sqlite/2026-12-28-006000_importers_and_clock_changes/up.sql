-- The actor that created the import. The contacts change on behalf of this actor. `system`: written by an earlier
-- release.
ALTER TABLE imports ADD COLUMN created_by text NOT NULL DEFAULT 'system';

ALTER TABLE imports ADD COLUMN created_by_id text;

-- Cells with a local time that a clock change skips or repeats.
ALTER TABLE imports ADD COLUMN clock_changes integer NOT NULL DEFAULT 0;

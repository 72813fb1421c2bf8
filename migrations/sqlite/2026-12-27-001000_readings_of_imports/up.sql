-- The encoding, delimiter, targets and formats of the columns. Empty: written by an earlier release.
ALTER TABLE imports ADD COLUMN reading text NOT NULL DEFAULT '';

-- Skipped cells that do not fit their columns.
ALTER TABLE imports ADD COLUMN skipped_cells integer NOT NULL DEFAULT 0;

-- Locks: ACCESS EXCLUSIVE of imports
-- Writers: wait_shortly
--
-- How the rows of a table are read: encoding, delimiter, targets and formats of its columns. Empty: an earlier release wrote the row.
ALTER TABLE imports ADD COLUMN reading text NOT NULL DEFAULT '';

-- Cells that were skipped because they do not fit their columns.
ALTER TABLE imports ADD COLUMN skipped_cells bigint NOT NULL DEFAULT 0;

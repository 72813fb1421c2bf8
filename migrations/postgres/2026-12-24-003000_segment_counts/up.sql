-- Locks: ACCESS EXCLUSIVE of segments
-- Writers: wait_shortly
--
-- The last count of the contacts of a segment, and the time when the next count was reserved. They are not part of the
-- version of the segment.
ALTER TABLE segments ADD COLUMN contact_count bigint;
ALTER TABLE segments ADD COLUMN contact_count_is_capped boolean;
ALTER TABLE segments ADD COLUMN counted_at timestamptz;
ALTER TABLE segments ADD COLUMN refresh_reserved_at timestamptz;

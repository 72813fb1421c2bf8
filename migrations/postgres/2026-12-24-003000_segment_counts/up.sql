-- Locks: ACCESS EXCLUSIVE of segments
-- Writers: wait_shortly
--
-- The last count of the contacts that a segment chooses, and when the next one was reserved. They are no part of the segment's
-- version.
ALTER TABLE segments ADD COLUMN contact_count bigint;
ALTER TABLE segments ADD COLUMN contact_count_is_capped boolean;
ALTER TABLE segments ADD COLUMN counted_at timestamptz;
ALTER TABLE segments ADD COLUMN refresh_reserved_at timestamptz;

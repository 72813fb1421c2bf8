-- The last count of the contacts of a segment, and the time when the next count was reserved. They are not part of the
-- version of the segment.
ALTER TABLE segments ADD COLUMN contact_count integer;
ALTER TABLE segments ADD COLUMN contact_count_is_capped integer;
ALTER TABLE segments ADD COLUMN counted_at integer;
ALTER TABLE segments ADD COLUMN refresh_reserved_at integer;

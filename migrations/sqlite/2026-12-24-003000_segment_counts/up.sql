-- The last count of the contacts that a segment chooses, and when the next one was reserved. They are no part of the segment's
-- version.
ALTER TABLE segments ADD COLUMN contact_count integer;
ALTER TABLE segments ADD COLUMN contact_count_is_capped integer;
ALTER TABLE segments ADD COLUMN counted_at integer;
ALTER TABLE segments ADD COLUMN refresh_reserved_at integer;

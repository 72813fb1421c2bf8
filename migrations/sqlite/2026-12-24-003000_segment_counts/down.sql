DELETE FROM jobs WHERE kind = 'count_segments';
ALTER TABLE segments DROP COLUMN refresh_reserved_at;
ALTER TABLE segments DROP COLUMN counted_at;
ALTER TABLE segments DROP COLUMN contact_count_is_capped;
ALTER TABLE segments DROP COLUMN contact_count;

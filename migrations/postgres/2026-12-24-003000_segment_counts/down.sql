DELETE FROM jobs WHERE kind = 'count_segments';
ALTER TABLE segments
    DROP COLUMN refresh_reserved_at,
    DROP COLUMN counted_at,
    DROP COLUMN contact_count_is_capped,
    DROP COLUMN contact_count;

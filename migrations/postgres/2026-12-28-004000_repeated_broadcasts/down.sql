DROP INDEX CONCURRENTLY IF EXISTS broadcast_recipients_status_idx;

DROP INDEX CONCURRENTLY IF EXISTS broadcasts_repeats_idx;

UPDATE broadcast_recipients SET status = 'done' WHERE status <> 'waiting';

ALTER TABLE broadcast_recipients DROP COLUMN code;

ALTER TABLE broadcasts DROP COLUMN repeats;

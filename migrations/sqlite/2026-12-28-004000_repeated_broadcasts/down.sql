DROP INDEX broadcast_recipients_status_idx;
DROP INDEX broadcasts_repeats_idx;
UPDATE broadcast_recipients SET status = 'done' WHERE status <> 'waiting';
ALTER TABLE broadcast_recipients DROP COLUMN code;
ALTER TABLE broadcasts DROP COLUMN repeats;

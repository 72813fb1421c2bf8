DELETE FROM jobs WHERE kind = 'check_channel';
ALTER TABLE channels DROP COLUMN health_version, DROP COLUMN health;

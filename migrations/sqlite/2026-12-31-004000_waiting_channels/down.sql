ALTER TABLE channels DROP COLUMN waits_until;
ALTER TABLE channels DROP COLUMN while_disconnected;

ALTER TABLE channels DROP COLUMN waits_until, DROP COLUMN while_disconnected;

ALTER TABLE conversations DROP COLUMN reply_address;

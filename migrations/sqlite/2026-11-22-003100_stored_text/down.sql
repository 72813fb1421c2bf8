DELETE FROM leases WHERE name = 'stored_text';
DROP TABLE stored_text;

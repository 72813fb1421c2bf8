ALTER TABLE contacts DROP COLUMN same_email_as;
ALTER TABLE contacts DROP COLUMN email_written;

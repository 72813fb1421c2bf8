ALTER TABLE messages DROP COLUMN resent_as, DROP COLUMN resend_of;

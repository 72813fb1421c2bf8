ALTER TABLE messages DROP COLUMN resent_as;
ALTER TABLE messages DROP COLUMN resend_of;

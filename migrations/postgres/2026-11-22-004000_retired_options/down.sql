ALTER TABLE custom_fields DROP COLUMN retired;

-- The address of a picture of the contact. Conditions only check whether it is set.

ALTER TABLE contacts ADD COLUMN avatar_url text;

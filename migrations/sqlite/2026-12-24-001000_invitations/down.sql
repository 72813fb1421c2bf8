DROP TABLE refused_invitations;
ALTER TABLE invitations DROP COLUMN invited_by;

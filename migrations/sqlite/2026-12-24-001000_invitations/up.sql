-- The member who sent an invitation, and invitations that could not be accepted because their address already has an
-- account.

ALTER TABLE invitations ADD COLUMN invited_by blob;

CREATE TABLE refused_invitations (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    invitation_id blob NOT NULL,
    at integer NOT NULL,
    PRIMARY KEY (workspace_id, invitation_id)
) STRICT;

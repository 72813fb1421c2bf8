-- The member who sent an invitation, and the invitations that were accepted in vain because their address has an account.

ALTER TABLE invitations ADD COLUMN invited_by uuid;

CREATE TABLE refused_invitations (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    invitation_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, invitation_id)
);

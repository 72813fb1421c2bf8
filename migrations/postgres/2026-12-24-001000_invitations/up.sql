-- Locks: ACCESS EXCLUSIVE of invitations
-- Locks: SHARE ROW EXCLUSIVE of workspaces
-- Writers: wait_shortly
--
-- The member who sent an invitation, and invitations that could not be accepted because their address already has an
-- account.
--
-- The steps are separated by empty lines. Each is a transaction, and all can be repeated.

ALTER TABLE invitations ADD COLUMN IF NOT EXISTS invited_by uuid;

CREATE TABLE IF NOT EXISTS refused_invitations (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    invitation_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, invitation_id)
);

-- Locks: ACCESS EXCLUSIVE of invitations
-- Locks: SHARE ROW EXCLUSIVE of workspaces
-- Writers: wait_shortly
--
-- The member who sent an invitation, and the invitations that were accepted in vain because their address has an account.
--
-- The steps stand apart by empty lines; each is a transaction of its own, and all may be done once more.

ALTER TABLE invitations ADD COLUMN IF NOT EXISTS invited_by uuid;

CREATE TABLE IF NOT EXISTS refused_invitations (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    invitation_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, invitation_id)
);

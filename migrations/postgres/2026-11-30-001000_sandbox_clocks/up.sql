-- Locks: SHARE ROW EXCLUSIVE of workspaces
-- Writers: wait_shortly
--
-- Clocks of sandboxes that were moved ahead, and the process that moves one at present.
CREATE TABLE sandbox_clocks (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
    ahead_ms bigint NOT NULL,
    holder uuid,
    held_until timestamptz
);

-- Clocks of sandboxes that were moved ahead, and the process that moves one at present.
CREATE TABLE sandbox_clocks (
    workspace_id blob PRIMARY KEY REFERENCES workspaces (id),
    ahead_ms integer NOT NULL,
    holder blob,
    held_until integer
) STRICT;

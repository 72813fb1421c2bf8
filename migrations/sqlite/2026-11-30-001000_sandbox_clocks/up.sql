-- The clocks of sandboxes that were moved, and who moves one at present.
CREATE TABLE sandbox_clocks (
    workspace_id blob PRIMARY KEY REFERENCES workspaces (id),
    ahead_ms integer NOT NULL,
    holder blob,
    held_until integer
) STRICT;

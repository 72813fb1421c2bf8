-- Locks: ACCESS EXCLUSIVE of workspaces
-- Locks: SHARE of workspaces
-- Writers: wait
--
-- `send`, or `hold`: messages and deliveries of the workspace are paused. Claims read the paused workspaces from the
-- index.

ALTER TABLE workspaces ADD COLUMN outbound text NOT NULL DEFAULT 'send';
CREATE INDEX workspaces_held_idx ON workspaces (id) WHERE outbound = 'hold';

-- Named facts about the whole database. `outbound_hold` pauses outbound traffic, and its value is the reason.
CREATE TABLE store_marks (
    name text PRIMARY KEY,
    value text NOT NULL,
    set_at timestamptz NOT NULL
);

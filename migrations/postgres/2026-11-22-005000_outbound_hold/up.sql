-- Locks: ACCESS EXCLUSIVE of workspaces
-- Locks: SHARE of workspaces
-- Writers: wait
--
-- Whether what a workspace sends by channels and webhooks leaves: 'send', or 'hold'. Claims look through the held ones.

ALTER TABLE workspaces ADD COLUMN outbound text NOT NULL DEFAULT 'send';
CREATE INDEX workspaces_held_idx ON workspaces (id) WHERE outbound = 'hold';

-- What is so for the whole store. 'outbound_hold': nothing leaves; the value says why.
CREATE TABLE store_marks (
    name text PRIMARY KEY,
    value text NOT NULL,
    set_at timestamptz NOT NULL
);

-- Locks: SHARE ROW EXCLUSIVE of flows
-- Writers: wait_shortly
--
-- Flows fire by the clock of their workspace: when the next time is, and whom a firing took and has not started yet.
CREATE TABLE flow_schedules (
    workspace_id uuid NOT NULL,
    flow_id uuid NOT NULL,
    visit bigint NOT NULL,
    next_at timestamptz,
    zone text NOT NULL,
    fired_at timestamptz,
    PRIMARY KEY (workspace_id, flow_id),
    FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
);
-- They come by the hundred thousand and go within minutes: no reference is checked for each, and what they leave is
-- cleaned up soon.
CREATE TABLE flow_recipients (
    workspace_id uuid NOT NULL,
    flow_id uuid NOT NULL,
    fired_at timestamptz NOT NULL,
    contact_id uuid NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, fired_at, contact_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Locks: SHARE ROW EXCLUSIVE of flows
-- Writers: wait_shortly
--
-- Schedules of flows, in the time zone of the workspace: the next time of each, and the contacts of a schedule that
-- have no run yet.
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
-- Without foreign keys: there are hundreds of thousands of rows, for a few minutes. Dead rows are vacuumed soon.
CREATE TABLE flow_recipients (
    workspace_id uuid NOT NULL,
    flow_id uuid NOT NULL,
    fired_at timestamptz NOT NULL,
    contact_id uuid NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, fired_at, contact_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

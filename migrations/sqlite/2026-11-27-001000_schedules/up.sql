-- Schedules of flows, in the time zone of the workspace: the next time of each, and the contacts of a schedule that
-- have no run yet.
CREATE TABLE flow_schedules (
    workspace_id blob NOT NULL,
    flow_id blob NOT NULL,
    visit integer NOT NULL,
    next_at integer,
    zone text NOT NULL,
    fired_at integer,
    PRIMARY KEY (workspace_id, flow_id),
    FOREIGN KEY (workspace_id, flow_id) REFERENCES flows (workspace_id, id)
);
CREATE TABLE flow_recipients (
    workspace_id blob NOT NULL,
    flow_id blob NOT NULL,
    fired_at integer NOT NULL,
    contact_id blob NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, fired_at, contact_id)
);

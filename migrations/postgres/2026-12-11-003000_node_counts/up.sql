-- Locks: none
-- Writers: go_on
--
-- Counts of nodes by hour. The hour 1970-01-01T00:00Z has the total. Counts of ended visits have the exit in `what`,
-- and the duration in `bucket`.
CREATE TABLE flow_node_counts (
    workspace_id uuid NOT NULL,
    flow_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    flow_version bigint NOT NULL,
    node text NOT NULL,
    what text NOT NULL,
    bucket integer NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, hour, flow_version, node, what, bucket)
);

-- Counts of nodes by hour. The hour 1970-01-01T00:00Z has the total. Counts of ended visits have the exit in `what`,
-- and the duration in `bucket`.
CREATE TABLE flow_node_counts (
    workspace_id blob NOT NULL,
    flow_id blob NOT NULL,
    hour integer NOT NULL,
    flow_version integer NOT NULL,
    node text NOT NULL,
    what text NOT NULL,
    bucket integer NOT NULL,
    amount integer NOT NULL,
    PRIMARY KEY (workspace_id, flow_id, hour, flow_version, node, what, bucket)
) STRICT;

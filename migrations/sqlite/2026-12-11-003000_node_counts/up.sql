-- What is counted of the nodes of flows, by the hour; of the hour 1970-01-01T00:00Z what there ever was. What runs left has the
-- exit in its name, and beside it how long they had been there.
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

-- Locks: none
-- Writers: go_on
--
-- What is counted of the nodes of flows, by the hour; of the hour 1970-01-01T00:00Z what there ever was. What runs left has the
-- exit in its name, and beside it how long they had been there.
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

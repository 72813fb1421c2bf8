-- Locks: none
-- Writers: go_on
--
-- What is to be counted, one row each: inserts never wait for one another.
CREATE TABLE analytics_facts (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    metric text NOT NULL,
    dimension text NOT NULL,
    amount bigint NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);

-- How often, by quarter of an hour: days and hours of every zone are made of whole ones.
CREATE TABLE analytics_counters (
    workspace_id uuid NOT NULL,
    metric text NOT NULL,
    dimension text NOT NULL,
    quarter timestamptz NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (workspace_id, quarter, metric, dimension)
);
CREATE INDEX analytics_counters_metric_idx ON analytics_counters (workspace_id, metric, quarter, amount);

-- What is to be counted, one row each: inserts never wait for one another.
CREATE TABLE analytics_facts (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    metric text NOT NULL,
    dimension text NOT NULL,
    amount integer NOT NULL,
    at integer NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;

-- How often, by quarter of an hour: days and hours of every zone are made of whole ones.
CREATE TABLE analytics_counters (
    workspace_id blob NOT NULL,
    metric text NOT NULL,
    dimension text NOT NULL,
    quarter integer NOT NULL,
    amount integer NOT NULL,
    PRIMARY KEY (workspace_id, quarter, metric, dimension)
) STRICT;
CREATE INDEX analytics_counters_metric_idx ON analytics_counters (workspace_id, metric, quarter, amount);

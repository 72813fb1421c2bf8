-- Facts that are not counted yet, one row each: an insert never waits for another one.
CREATE TABLE analytics_facts (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    metric text NOT NULL,
    dimension text NOT NULL,
    amount integer NOT NULL,
    at integer NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;

-- Counted facts by quarter of an hour, which add up to the hours and days of every time zone.
CREATE TABLE analytics_counters (
    workspace_id blob NOT NULL,
    metric text NOT NULL,
    dimension text NOT NULL,
    quarter integer NOT NULL,
    amount integer NOT NULL,
    PRIMARY KEY (workspace_id, quarter, metric, dimension)
) STRICT;
CREATE INDEX analytics_counters_metric_idx ON analytics_counters (workspace_id, metric, quarter, amount);

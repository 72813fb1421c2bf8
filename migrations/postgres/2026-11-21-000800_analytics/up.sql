-- Locks: none
-- Writers: go_on
--
-- Facts that are not counted yet, one row each: an insert never waits for another one.
CREATE TABLE analytics_facts (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    metric text NOT NULL,
    dimension text NOT NULL,
    amount bigint NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);

-- Counted facts by quarter of an hour, which add up to the hours and days of every time zone.
CREATE TABLE analytics_counters (
    workspace_id uuid NOT NULL,
    metric text NOT NULL,
    dimension text NOT NULL,
    quarter timestamptz NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (workspace_id, quarter, metric, dimension)
);
CREATE INDEX analytics_counters_metric_idx ON analytics_counters (workspace_id, metric, quarter, amount);

-- Otherwise facts that are not counted yet would be counted as something else.
DELETE FROM analytics_facts WHERE metric = 'flow_nodes';
DROP TABLE flow_node_counts;

DROP INDEX flow_runs_at_node_idx;

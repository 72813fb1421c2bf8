-- Locks: SHARE UPDATE EXCLUSIVE of flow_runs
-- Writers: go_on
--
-- Live runs by their current node. The index begins with the column that only such lists name. It selects live runs by
-- `status`, because the index of all live runs selects them by `ended_at`: a planner cannot use one in place of the
-- other.
CREATE INDEX CONCURRENTLY flow_runs_at_node_idx ON flow_runs (node, flow_id, started_at, id)
    WHERE node IS NOT NULL AND status IN ('active', 'waiting');

-- Locks: SHARE UPDATE EXCLUSIVE of flow_runs
-- Writers: go_on
--
-- Live runs by the node of their flow at which they are. It begins with the column that only such lists name, and says that runs
-- live in words of its own: that they have not ended is what the index of live runs says.
CREATE INDEX CONCURRENTLY flow_runs_at_node_idx ON flow_runs (node, flow_id, started_at, id)
    WHERE node IS NOT NULL AND status IN ('active', 'waiting');

-- Locks: none
-- Writers: go_on
--
-- Changes by members, keys and operators. Rows are never changed, and are deleted by day.
CREATE TABLE audit_log (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL,
    day bigint NOT NULL,
    actor_kind text NOT NULL,
    actor text NOT NULL,
    scope text,
    action text NOT NULL,
    object_type text NOT NULL,
    object_id text,
    object_name text,
    changes text NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_log_at_list ON audit_log (workspace_id, at, id) WHERE actor_kind IS NOT NULL;
CREATE INDEX audit_log_of_object_idx ON audit_log (object_id, workspace_id, at, id) WHERE object_id IS NOT NULL;
CREATE INDEX audit_log_of_actor_idx ON audit_log (actor, workspace_id, at, id);
CREATE INDEX audit_log_of_action_idx ON audit_log (action, workspace_id, at, id);
CREATE INDEX audit_log_of_type_idx ON audit_log (object_type, workspace_id, at, id);
CREATE INDEX audit_log_day_idx ON audit_log (day);

//! Flows, sequences, and the objects that they use.

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    bot_fields (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        key -> Text,
        name -> Text,
        kind -> Text,
        value -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    secrets (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        name -> Text,
        sealed -> Binary,
        hosts -> Text,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    flows (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        name -> Text,
        status -> Text,
        version_published -> Nullable<BigInt>,
        has_unpublished_changes -> Bool,
        definition -> Text,
        bindings -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        deleted_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::Id;

    #[allow(missing_docs)]
    flow_triggers (workspace_id, flow_id, place) {
        workspace_id -> Id,
        flow_id -> Id,
        place -> Integer,
        kind -> Text,
        word -> Text,
        definition -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    flow_versions (workspace_id, flow_id, number) {
        workspace_id -> Id,
        flow_id -> Id,
        number -> BigInt,
        definition -> Text,
        tags -> Text,
        bindings -> Nullable<Text>,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    flow_runs (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        flow_id -> Id,
        flow_version -> BigInt,
        contact_id -> Id,
        slot -> Id,
        status -> Text,
        node -> Nullable<Text>,
        vars -> Text,
        trace -> Text,
        wait_until -> Nullable<Instant>,
        visit -> BigInt,
        nodes_visited -> BigInt,
        started_by_kind -> Text,
        started_by_id -> Nullable<Text>,
        started_at -> Instant,
        ended_at -> Nullable<Instant>,
        error -> Nullable<Text>,
        updated_at -> Instant,
        version -> BigInt,
        channel_id -> Nullable<Id>,
        wait_kind -> Nullable<Text>,
        wait_attempt -> BigInt,
        cause_id -> Nullable<Id>,
        depth -> BigInt,
        event -> Nullable<Text>,
        wait_event -> Nullable<Text>,
        wait_details -> Nullable<Text>,
        caller_id -> Nullable<Id>,
        call_depth -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    flow_node_counts (workspace_id, flow_id, hour, flow_version, node, what, bucket) {
        workspace_id -> Id,
        flow_id -> Id,
        hour -> Instant,
        flow_version -> BigInt,
        node -> Text,
        what -> Text,
        bucket -> Integer,
        amount -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::Id;

    #[allow(missing_docs)]
    flow_awaits (workspace_id, flow_id, event) {
        workspace_id -> Id,
        flow_id -> Id,
        event -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    flow_schedules (workspace_id, flow_id) {
        workspace_id -> Id,
        flow_id -> Id,
        visit -> BigInt,
        next_at -> Nullable<Instant>,
        zone -> Text,
        fired_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    flow_recipients (workspace_id, flow_id, fired_at, contact_id) {
        workspace_id -> Id,
        flow_id -> Id,
        fired_at -> Instant,
        contact_id -> Id,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    sequences (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        name -> Text,
        status -> Text,
        steps -> Text,
        exit_on -> Text,
        exit_when -> Nullable<Text>,
        bindings -> Nullable<Text>,
        reenroll -> Text,
        time_zone -> Text,
        revision -> BigInt,
        created_at -> Instant,
        updated_at -> Instant,
        deleted_at -> Nullable<Instant>,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    enrollments (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        sequence_id -> Id,
        contact_id -> Id,
        number -> BigInt,
        status -> Text,
        step -> Nullable<Text>,
        next_run_at -> Nullable<Instant>,
        steps_done -> Text,
        exit_reason -> Nullable<Text>,
        error -> Nullable<Text>,
        visit -> BigInt,
        revision -> BigInt,
        enrolled_by_kind -> Text,
        enrolled_by_id -> Nullable<Text>,
        started_at -> Instant,
        ended_at -> Nullable<Instant>,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    object_references (workspace_id, owner_kind, owner_id, target_kind, target_id) {
        workspace_id -> Id,
        owner_kind -> Text,
        owner_id -> Id,
        target_kind -> Text,
        target_id -> Id,
        lost_name -> Nullable<Text>,
        lost_at -> Nullable<Instant>,
    }
}

//! API usage, analytics and the size of stored texts.

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    api_usage (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        at -> Instant,
        key_id -> Nullable<Id>,
        user_id -> Nullable<Id>,
        method -> Text,
        route -> Text,
        status -> Integer,
        duration_ms -> BigInt,
        request_id -> Text,
        address -> Text,
        error_code -> Nullable<Text>,
        errors -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::*;

    analytics_facts (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        metric -> Text,
        dimension -> Text,
        amount -> BigInt,
        at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    /// Not used by this release. The previous release reads and writes it while instances of both run.
    api_usage_hours (workspace_id, hour, method, route) {
        workspace_id -> Id,
        hour -> Instant,
        method -> Text,
        route -> Text,
        requests -> BigInt,
        client_errors -> BigInt,
        server_errors -> BigInt,
        duration_ms -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::*;

    api_usage_sums (workspace_id, quarter, key_id, method, route, status, error_code) {
        workspace_id -> Id,
        quarter -> Instant,
        key_id -> Id,
        method -> Text,
        route -> Text,
        status -> Integer,
        error_code -> Text,
        requests -> BigInt,
        duration_ms -> BigInt,
        last_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::*;

    analytics_counters (workspace_id, quarter, metric, dimension) {
        workspace_id -> Id,
        metric -> Text,
        dimension -> Text,
        quarter -> Instant,
        amount -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    reply_times (workspace_id, quarter, measure, channel_id, user_id, bucket) {
        workspace_id -> Id,
        quarter -> Instant,
        measure -> Text,
        channel_id -> Id,
        user_id -> Id,
        bucket -> Integer,
        amount -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    stored_text (workspace_id) {
        workspace_id -> Id,
        contacts -> BigInt,
        messages -> BigInt,
        events -> BigInt,
        deliveries -> BigInt,
        flows -> BigInt,
        measured_at -> Instant,
        idempotency -> BigInt,
    }
}

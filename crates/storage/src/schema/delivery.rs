//! Events, webhooks and their deliveries.

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    webhooks (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        url -> Text,
        events -> Text,
        description -> Nullable<Text>,
        payload -> Text,
        secret -> Binary,
        secret_hint -> Text,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        status -> Text,
        disabled_reason -> Nullable<Text>,
        headers -> Text,
        older_secrets -> Text,
        failures -> Integer,
        failing_since -> Nullable<Instant>,
        parked_until -> Nullable<Instant>,
        rests -> Integer,
        last_delivery_at -> Nullable<Instant>,
        health_version -> BigInt,
        sealed_headers -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    events (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        kind -> Text,
        at -> Instant,
        contact_id -> Nullable<Id>,
        full_envelope -> Text,
        thin_envelope -> Text,
        recorded_at -> Instant,
        position -> Nullable<BigInt>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    event_heads (workspace_id) {
        workspace_id -> Id,
        position -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    event_positions (workspace_id, position) {
        workspace_id -> Id,
        position -> BigInt,
        event_id -> Id,
        at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    event_outbox (recorded_at, event_id) {
        recorded_at -> Instant,
        event_id -> Id,
        workspace_id -> Id,
        at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::Id;

    #[allow(missing_docs)]
    feed_heads (workspace_id) {
        workspace_id -> Id,
        position -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    webhook_counts (workspace_id, webhook_id, hour, succeeded, bucket) {
        workspace_id -> Id,
        webhook_id -> Id,
        hour -> Instant,
        succeeded -> Bool,
        bucket -> Integer,
        count -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    webhook_replays (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        webhook_id -> Id,
        since -> Instant,
        until -> Instant,
        status -> Text,
        after_at -> Nullable<Instant>,
        after_id -> Nullable<Id>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    deliveries (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        webhook_id -> Id,
        event_id -> Id,
        event_kind -> Text,
        status -> Text,
        attempts -> Integer,
        next_attempt_at -> Nullable<Instant>,
        last_status -> Nullable<Integer>,
        last_error -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        round_start -> Integer,
        queue -> Nullable<Integer>,
        queued_for -> Nullable<Id>,
        leased_until -> Nullable<Instant>,
        token -> BigInt,
        claims -> Integer,
        errors -> Integer,
        first_at -> Nullable<Instant>,
        first_duration_ms -> Nullable<BigInt>,
        first_status -> Nullable<Integer>,
        first_headers -> Nullable<Text>,
        first_body -> Nullable<Text>,
        first_error -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    delivery_attempts (workspace_id, delivery_id, number) {
        workspace_id -> Id,
        delivery_id -> Id,
        number -> Integer,
        at -> Instant,
        duration_ms -> BigInt,
        status -> Nullable<Integer>,
        headers -> Text,
        body -> Text,
        error -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::Id;

    #[allow(missing_docs)]
    listener_revisions (workspace_id) {
        workspace_id -> Id,
        revision -> BigInt,
        catalog -> BigInt,
    }
}

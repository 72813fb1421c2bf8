//! Jobs, leases, and the state of the store.

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    leases (name) {
        name -> Text,
        holder -> Id,
        expires_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    jobs (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        pool -> Text,
        kind -> Text,
        subject -> Id,
        mark -> BigInt,
        lane -> Nullable<Id>,
        group_id -> Nullable<Id>,
        due_at -> Instant,
        claimed -> Bool,
        token -> BigInt,
        claims -> Integer,
        attempts -> Integer,
        error -> Nullable<Text>,
        dead_at -> Nullable<Instant>,
        parked -> Bool,
        followed -> Bool,
        further -> Nullable<Binary>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    idempotency_keys (workspace_id, method, route, key) {
        workspace_id -> Id,
        method -> Text,
        route -> Text,
        key -> Text,
        fingerprint -> Binary,
        status -> Integer,
        location -> Nullable<Text>,
        etag -> Nullable<Text>,
        body -> Binary,
        sealed -> Bool,
        created_at -> Instant,
        form -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;

    #[allow(missing_docs)]
    sealed_canary (name) {
        name -> Text,
        sealed -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::Instant;

    #[allow(missing_docs)]
    store_marks (name) {
        name -> Text,
        value -> Text,
        set_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::Instant;

    #[allow(missing_docs)]
    write_probe (name) {
        name -> Text,
        written_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    sandbox_clocks (workspace_id) {
        workspace_id -> Id,
        ahead_ms -> BigInt,
        holder -> Nullable<Id>,
        held_until -> Nullable<Instant>,
    }
}

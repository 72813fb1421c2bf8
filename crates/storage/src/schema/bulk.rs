//! Bulk operations and imports.

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    bulk_operations (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        action -> Text,
        tag_id -> Nullable<Id>,
        filter -> Text,
        condition -> Nullable<Text>,
        bindings -> Nullable<Text>,
        behind_at -> Nullable<Instant>,
        behind_id -> Nullable<Id>,
        status -> Text,
        error -> Nullable<Text>,
        matched -> BigInt,
        changed -> BigInt,
        unchanged -> BigInt,
        failed -> BigInt,
        created_by -> Text,
        created_by_id -> Nullable<Text>,
        started_at -> Nullable<Instant>,
        ended_at -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        object_id -> Nullable<Id>,
        field_key -> Nullable<Text>,
        value -> Nullable<Text>,
        skipped -> BigInt,
        still_opted_out -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    imports (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        existing -> Text,
        match_by -> Nullable<Text>,
        head -> Text,
        names -> Text,
        size -> BigInt,
        next_byte -> BigInt,
        next_line -> BigInt,
        status -> Text,
        error -> Nullable<Text>,
        rows -> BigInt,
        created -> BigInt,
        updated -> BigInt,
        kept -> BigInt,
        rejected -> BigInt,
        still_opted_out -> BigInt,
        reading -> Text,
        skipped_cells -> BigInt,
        clock_changes -> BigInt,
        created_by -> Text,
        created_by_id -> Nullable<Text>,
        started_at -> Nullable<Instant>,
        ended_at -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::Id;

    #[allow(missing_docs)]
    import_tables (workspace_id, import_id, part) {
        workspace_id -> Id,
        import_id -> Id,
        part -> BigInt,
        content -> Binary,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::Id;

    #[allow(missing_docs)]
    import_rejects (workspace_id, import_id, line) {
        workspace_id -> Id,
        import_id -> Id,
        line -> BigInt,
        cells -> Text,
        wrong -> Text,
        external_id -> Nullable<Text>,
        email -> Nullable<Text>,
        phone -> Nullable<Text>,
    }
}

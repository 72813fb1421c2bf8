//! Contacts, their attributes, tags and opt-outs, and segments.

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    contacts (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        external_id -> Nullable<Text>,
        first_name -> Nullable<Text>,
        last_name -> Nullable<Text>,
        email -> Nullable<Text>,
        email_written -> Nullable<Text>,
        same_email_as -> Nullable<Id>,
        phone -> Nullable<Text>,
        locale -> Nullable<Text>,
        time_zone -> Nullable<Text>,
        status -> Text,
        subscribed -> Bool,
        last_message_at -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
        deleted_at -> Nullable<Instant>,
        version -> BigInt,
        name_key -> Nullable<Text>,
        sort_key -> Nullable<Binary>,
        sorted_version -> Nullable<BigInt>,
        search_text -> Text,
        external_id_folded -> Nullable<Text>,
        first_name_folded -> Nullable<Text>,
        last_name_folded -> Nullable<Text>,
        name_folded -> Nullable<Text>,
        email_folded -> Nullable<Text>,
        locale_folded -> Nullable<Text>,
        time_zone_folded -> Nullable<Text>,
        folding -> Integer,
        avatar_url -> Nullable<Text>,
        never_subscribed -> Bool,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    contact_identities (workspace_id, contact_id, channel_id, address) {
        workspace_id -> Id,
        contact_id -> Id,
        channel_id -> Id,
        address -> Text,
        opted_in -> Bool,
        live -> Bool,
        is_alias -> Bool,
        added_at -> Instant,
        undeliverable_since -> Nullable<Instant>,
        opt_out_source -> Nullable<Text>,
        opt_out_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    tags (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        name -> Text,
        name_key -> Text,
        sort_key -> Nullable<Binary>,
        sorted_version -> Nullable<BigInt>,
        color -> Nullable<Text>,
        description -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    contact_tags (workspace_id, contact_id, tag_id) {
        workspace_id -> Id,
        contact_id -> Id,
        tag_id -> Id,
        applied_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    custom_fields (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        key -> Text,
        name -> Text,
        kind -> Text,
        options -> Text,
        rules -> Text,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        retired -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    contact_values (workspace_id, contact_id, field_id) {
        workspace_id -> Id,
        contact_id -> Id,
        field_id -> Id,
        value -> Text,
        match_key -> Nullable<Text>,
        elements -> Nullable<Text>,
        long_text -> Nullable<Text>,
        folding -> Integer,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    segments (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        name -> Text,
        condition -> Text,
        bindings -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        contact_count -> Nullable<BigInt>,
        contact_count_is_capped -> Nullable<Bool>,
        counted_at -> Nullable<Instant>,
        refresh_reserved_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    custom_events (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        contact_id -> Id,
        name -> Text,
        data -> Text,
        at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    contact_erasures (workspace_id, contact_id) {
        workspace_id -> Id,
        contact_id -> Id,
        requested_at -> Instant,
        erased_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    contact_merges (workspace_id, contact_id) {
        workspace_id -> Id,
        contact_id -> Id,
        into_id -> Id,
        merged_at -> Instant,
        moved_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    opt_out_keys (workspace_id) {
        workspace_id -> Id,
        sealed -> Binary,
        revision -> BigInt,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    opt_outs (workspace_id, digest) {
        workspace_id -> Id,
        digest -> Binary,
        channel_id -> Nullable<Id>,
        at -> Instant,
    }
}

//! What a contact and what it carries are read from: the columns that the service selects.

diesel::table! {
    contacts (workspace_id, id) {
        workspace_id -> Binary,
        id -> Binary,
        external_id -> Nullable<Text>,
        first_name -> Nullable<Text>,
        last_name -> Nullable<Text>,
        email -> Nullable<Text>,
        phone -> Nullable<Text>,
        locale -> Nullable<Text>,
        time_zone -> Nullable<Text>,
        status -> Text,
        subscribed -> Bool,
        last_message_at -> Nullable<BigInt>,
        created_at -> BigInt,
        updated_at -> BigInt,
        deleted_at -> Nullable<BigInt>,
        version -> BigInt,
    }
}

diesel::table! {
    contact_tags (workspace_id, contact_id, tag_id) {
        workspace_id -> Binary,
        contact_id -> Binary,
        tag_id -> Binary,
        applied_at -> BigInt,
    }
}

diesel::table! {
    tags (workspace_id, id) {
        workspace_id -> Binary,
        id -> Binary,
        name -> Text,
    }
}

diesel::table! {
    contact_values (workspace_id, contact_id, field_id) {
        workspace_id -> Binary,
        contact_id -> Binary,
        field_id -> Binary,
        value -> Text,
    }
}

diesel::table! {
    custom_fields (workspace_id, id) {
        workspace_id -> Binary,
        id -> Binary,
        key -> Text,
    }
}

diesel::table! {
    contact_identities (workspace_id, contact_id, channel_id, address) {
        workspace_id -> Binary,
        contact_id -> Binary,
        channel_id -> Binary,
        address -> Text,
        opted_in -> Bool,
        live -> Bool,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    contacts,
    contact_tags,
    tags,
    contact_values,
    custom_fields,
    contact_identities
);

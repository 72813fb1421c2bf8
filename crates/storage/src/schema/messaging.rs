//! Channels, conversations, messages and broadcasts.

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    channels (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        kind -> Text,
        name -> Text,
        is_default -> Bool,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        status -> Text,
        url -> Nullable<Text>,
        secret -> Nullable<Binary>,
        secret_hint -> Nullable<Text>,
        inbound_token -> Nullable<Binary>,
        inbound_digest -> Nullable<Binary>,
        last_error -> Nullable<Text>,
        connected_at -> Nullable<Instant>,
        deleted_at -> Nullable<Instant>,
        config -> Nullable<Text>,
        health -> Nullable<Text>,
        health_version -> BigInt,
        while_disconnected -> Nullable<Text>,
        waits_until -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    broadcasts (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        name -> Text,
        audience -> Text,
        bindings -> Nullable<Text>,
        message -> Text,
        channel_id -> Nullable<Id>,
        scheduled_at -> Nullable<Instant>,
        time_zone -> Text,
        rate_per_minute -> Nullable<BigInt>,
        repeats -> Nullable<Id>,
        status -> Text,
        error -> Nullable<Text>,
        round -> BigInt,
        targeted -> BigInt,
        started_at -> Nullable<Instant>,
        ended_at -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    broadcast_recipients (workspace_id, broadcast_id, contact_id) {
        workspace_id -> Id,
        broadcast_id -> Id,
        contact_id -> Id,
        place -> BigInt,
        due_at -> Instant,
        status -> Text,
        message_id -> Nullable<Id>,
        code -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::Id;

    #[allow(missing_docs)]
    broadcast_counts (workspace_id, broadcast_id, what) {
        workspace_id -> Id,
        broadcast_id -> Id,
        what -> Text,
        amount -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    saved_replies (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        name -> Text,
        name_key -> Text,
        text -> Text,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        attachments -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    media (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        name -> Text,
        mime_type -> Text,
        size -> BigInt,
        digest -> Text,
        contact_id -> Nullable<Id>,
        is_shared -> Bool,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    conversations (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        contact_id -> Id,
        channel_id -> Id,
        status -> Text,
        handler -> Text,
        last_message_at -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        assignee_id -> Nullable<Id>,
        snoozed_until -> Nullable<Instant>,
        unread_count -> BigInt,
        waiting_since -> Nullable<Instant>,
        window_expires_at -> Nullable<Instant>,
        reply_address -> Nullable<Text>,
        opt_out_confirmed_at -> Nullable<Instant>,
        first_reply_at -> Nullable<Instant>,
        resolved_at -> Nullable<Instant>,
        reopen_count -> BigInt,
        opened_at -> Nullable<Instant>,
        awaited_since -> Nullable<Instant>,
        replied_at -> Nullable<Instant>,
        marketing_stopped_at -> Nullable<Instant>,
        marketing_resumed_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    messages (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        conversation_id -> Nullable<Id>,
        contact_id -> Id,
        channel_id -> Id,
        direction -> Text,
        #[sql_name = "text"]
        body -> Text,
        status -> Text,
        history -> Text,
        error -> Nullable<Text>,
        sender_kind -> Text,
        sender_id -> Nullable<Text>,
        provider_message_id -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        #[sql_name = "type"]
        kind -> Text,
        parts -> Nullable<Text>,
        resend_of -> Nullable<Id>,
        resent_as -> Nullable<Id>,
        sent_parts -> Nullable<Text>,
        address -> Nullable<Text>,
        sent_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::Id;

    #[allow(missing_docs)]
    message_parts (workspace_id, message_id, part) {
        workspace_id -> Id,
        message_id -> Id,
        part -> Integer,
        channel_id -> Id,
        provider_message_id -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    unparsed_requests (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        channel_id -> Id,
        received_at -> Instant,
        reason -> Text,
        size -> BigInt,
        body -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    provider_events (workspace_id, channel_id, digest) {
        workspace_id -> Id,
        channel_id -> Id,
        digest -> Binary,
        received_at -> Instant,
    }
}

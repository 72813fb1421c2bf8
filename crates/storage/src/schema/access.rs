//! Workspaces, their users, keys and sessions, and the audit log.

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    workspaces (id) {
        id -> Id,
        name -> Text,
        plan -> Text,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        time_zone -> Text,
        live_workspace_id -> Nullable<Id>,
        outbound -> Text,
        opt_out_words -> Text,
        assign_on_reply -> Bool,
        default_country -> Nullable<Text>,
        deleted_at -> Nullable<Instant>,
        erase_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    api_keys (id) {
        id -> Id,
        workspace_id -> Id,
        name -> Text,
        scope -> Text,
        digest -> Binary,
        prefix -> Text,
        last_four -> Text,
        created_at -> Instant,
        expires_at -> Nullable<Instant>,
        revoked_at -> Nullable<Instant>,
        last_used_at -> Nullable<Instant>,
        last_used_address -> Nullable<Text>,
        version -> BigInt,
        updated_at -> Nullable<Instant>,
        lineage -> Nullable<Id>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    audit_log (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        at -> Instant,
        day -> BigInt,
        actor_kind -> Text,
        actor -> Text,
        scope -> Nullable<Text>,
        action -> Text,
        object_type -> Text,
        object_id -> Nullable<Text>,
        object_name -> Nullable<Text>,
        changes -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    users (id) {
        id -> Id,
        email -> Text,
        name -> Text,
        password_hash -> Text,
        operator -> Bool,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        reset_digest -> Nullable<Binary>,
        reset_expires_at -> Nullable<Instant>,
        language -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    members (workspace_id, user_id) {
        workspace_id -> Id,
        user_id -> Id,
        role -> Text,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    invitations (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        email -> Text,
        role -> Text,
        digest -> Binary,
        created_at -> Instant,
        expires_at -> Instant,
        invited_by -> Nullable<Id>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    refused_invitations (workspace_id, invitation_id) {
        workspace_id -> Id,
        invitation_id -> Id,
        at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    sessions (id) {
        id -> Id,
        user_id -> Id,
        created_at -> Instant,
        expires_at -> Instant,
        revoked_at -> Nullable<Instant>,
        network -> Nullable<Text>,
        user_agent -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    refresh_tokens (digest) {
        digest -> Binary,
        session_id -> Id,
        issued_at -> Instant,
        expires_at -> Instant,
        rotated_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::{Id, Instant};

    #[allow(missing_docs)]
    signing_keys (id) {
        id -> Id,
        sealed -> Binary,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use crate::queries::types::Instant;

    #[allow(missing_docs)]
    login_attempts (account) {
        account -> Text,
        count -> BigInt,
        next_at -> Instant,
        updated_at -> Instant,
    }
}

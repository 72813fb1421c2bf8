//! The shared schema of both databases. A test compares it with the migrations.

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
    saved_replies (workspace_id, id) {
        workspace_id -> Id,
        id -> Id,
        name -> Text,
        name_key -> Text,
        text -> Text,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
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
        first_reply_at -> Nullable<Instant>,
        resolved_at -> Nullable<Instant>,
        reopen_count -> BigInt,
        opened_at -> Nullable<Instant>,
        awaited_since -> Nullable<Instant>,
        replied_at -> Nullable<Instant>,
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

// Pairs of tables that one query reads. For all pairs, the compiler would need a third more time for this crate.
diesel::allow_tables_to_appear_in_same_query!(api_keys, workspaces);
diesel::allow_tables_to_appear_in_same_query!(broadcast_recipients, broadcasts);
diesel::allow_tables_to_appear_in_same_query!(broadcast_recipients, contact_merges);
diesel::allow_tables_to_appear_in_same_query!(broadcast_recipients, contacts);
diesel::allow_tables_to_appear_in_same_query!(broadcasts, contact_merges);
diesel::allow_tables_to_appear_in_same_query!(broadcasts, contacts);
diesel::allow_tables_to_appear_in_same_query!(broadcasts, object_references);
diesel::allow_tables_to_appear_in_same_query!(channels, contact_identities);
diesel::allow_tables_to_appear_in_same_query!(channels, contacts);
diesel::allow_tables_to_appear_in_same_query!(channels, conversations);
diesel::allow_tables_to_appear_in_same_query!(channels, listener_revisions);
diesel::allow_tables_to_appear_in_same_query!(channels, messages);
diesel::allow_tables_to_appear_in_same_query!(contact_identities, contacts);
diesel::allow_tables_to_appear_in_same_query!(contact_identities, conversations);
diesel::allow_tables_to_appear_in_same_query!(contact_identities, listener_revisions);
diesel::allow_tables_to_appear_in_same_query!(contact_identities, messages);
diesel::allow_tables_to_appear_in_same_query!(contact_merges, contacts);
diesel::allow_tables_to_appear_in_same_query!(contact_tags, contacts);
diesel::allow_tables_to_appear_in_same_query!(contact_tags, conversations);
diesel::allow_tables_to_appear_in_same_query!(contact_tags, tags);
diesel::allow_tables_to_appear_in_same_query!(contact_values, contacts);
diesel::allow_tables_to_appear_in_same_query!(contact_values, custom_fields);
diesel::allow_tables_to_appear_in_same_query!(contacts, conversations);
diesel::allow_tables_to_appear_in_same_query!(contacts, listener_revisions);
diesel::allow_tables_to_appear_in_same_query!(contacts, messages);
diesel::allow_tables_to_appear_in_same_query!(contacts, tags);
diesel::allow_tables_to_appear_in_same_query!(conversations, listener_revisions);
diesel::allow_tables_to_appear_in_same_query!(conversations, messages);
diesel::allow_tables_to_appear_in_same_query!(deliveries, event_positions);
diesel::allow_tables_to_appear_in_same_query!(deliveries, events);
diesel::allow_tables_to_appear_in_same_query!(event_positions, events);
diesel::allow_tables_to_appear_in_same_query!(flow_runs, jobs);
diesel::allow_tables_to_appear_in_same_query!(flow_triggers, flows);
diesel::allow_tables_to_appear_in_same_query!(flow_versions, flows);
diesel::allow_tables_to_appear_in_same_query!(flow_versions, object_references);
diesel::allow_tables_to_appear_in_same_query!(flows, object_references);
diesel::allow_tables_to_appear_in_same_query!(invitations, refused_invitations);
diesel::allow_tables_to_appear_in_same_query!(listener_revisions, messages);
diesel::allow_tables_to_appear_in_same_query!(members, users);
diesel::allow_tables_to_appear_in_same_query!(members, workspaces);
diesel::allow_tables_to_appear_in_same_query!(object_references, segments);
diesel::allow_tables_to_appear_in_same_query!(object_references, sequences);
diesel::allow_tables_to_appear_in_same_query!(refresh_tokens, sessions);
diesel::allow_tables_to_appear_in_same_query!(sessions, users);

#[cfg(test)]
mod tests;

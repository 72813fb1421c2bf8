//! The table of routes. Registration, scopes, the OpenAPI document and the tests of permissions are generated from it.
//! A route without a scope does not compile.

mod resource;

use actix_web::http::Method;

use crate::auth::{self, me};
use crate::broadcasts::{self, sending};
use crate::contacts::{self, actions, custom_fields, disclosure, erasures, merges, segments, tags, timeline};
use crate::conversations::{
    self, assignees, channel_templates, channel_types, channels, inbound, media, saved_replies,
};
use crate::events::{self, event_types, stream};
use crate::flows::{self, flow_statistics, runs, simulations, templates, versions};
use crate::pipeline::operations;
use crate::platform::{audit, export, keys, members, sandbox, storage, usage, workspaces};
use crate::sequences::{self, enrollments};
use crate::webhooks;
use crate::workspace::{analytics, bot_fields, jobs, sandboxes, secrets};

pub use crate::pipeline::route::{BodyKind, Route, RouteScope, Traits};
pub(crate) use resource::{Endpoint, Resource, resources, shown_at};

/// Declares the routes. A handler in parentheses also serves another method of its path, with the same description.
macro_rules! routes {
    ($($path:literal { $(
        $method:ident $($first:ident $(:: $rest:ident)*)? $(($($same:ident)::+))?, $scope:ident, $id:literal
        $(, $trait:ident)*;
    )+ })+) => {
        /// Every route, grouped by path.
        pub static ROUTES: &[Route] = &[$($(Route {
            method: Method::$method,
            path: $path,
            scope: RouteScope::$scope,
            operation_id: $id,
            traits: Traits::PLAIN$(.$trait())*,
        }),+),+];

        /// The handlers, in the same order.
        static ENDPOINTS: &[Endpoint] =
            &[$($(routes!(@endpoint $scope $($first $(:: $rest)*)? $($($same)::+)?)),+),+];

        /// The handlers' parts of the OpenAPI document.
        #[derive(utoipa::OpenApi)]
        #[openapi(paths($($($($first $(:: $rest)*,)?)+)+))]
        pub(crate) struct Operations;
    };
    (@endpoint Public $($handler:ident)::+) => { Endpoint::Public(|state| Box::pin($($handler)::+(state))) };
    (@endpoint Signed $($handler:ident)::+) => { Endpoint::Signed(|incoming| Box::pin($($handler)::+(incoming))) };
    (@endpoint $scope:ident $($handler:ident)::+) => { Endpoint::Keyed(|cx| Box::pin($($handler)::+(cx))) };
}

routes! {
    "/api/v1/contacts" {
        GET contacts::list, Read, "list_contacts", query, searches;
        POST contacts::create, Write, "create_contact", json, grows;
    }
    "/api/v1/contacts/search" {
        POST contacts::search, Write, "search_contacts", json, reads, searches;
    }
    "/api/v1/contacts/export" {
        GET contacts::export::export, Read, "export_contacts", parameters, streams, searches;
    }
    "/api/v1/contacts/batch" {
        POST contacts::batch::batch, Write, "batch_contacts", json, large, told_once, computes;
    }
    "/api/v1/contacts/bulk" {
        GET contacts::bulk::list, Read, "list_bulk_operations", query;
        POST contacts::bulk::start, Write, "bulk_contacts", json, searches;
    }
    "/api/v1/contacts/bulk/preview" {
        POST contacts::bulk::preview, Write, "preview_bulk_operation", json, reads, searches;
    }
    "/api/v1/contacts/bulk/{id}" {
        GET contacts::bulk::get, Read, "get_bulk_operation";
    }
    "/api/v1/contacts/bulk/{id}/cancel" {
        POST contacts::bulk::cancel, Write, "cancel_bulk_operation";
    }
    "/api/v1/contacts/import" {
        POST contacts::imports::start, Write, "import_contacts", table, parameters, computes, grows;
    }
    "/api/v1/contacts/imports" {
        GET contacts::imports::list, Read, "list_imports", query;
    }
    "/api/v1/contacts/imports/{id}" {
        GET contacts::imports::get, Read, "get_import";
    }
    "/api/v1/contacts/imports/{id}/cancel" {
        POST contacts::imports::cancel, Write, "cancel_import";
    }
    "/api/v1/contacts/imports/{id}/rejected" {
        GET contacts::imports::rejected, Read, "export_rejected_rows", streams;
    }
    "/api/v1/contacts/{id}" {
        GET contacts::get, Read, "get_contact";
        PUT contacts::update, Write, "update_contact", json, versioned;
        PATCH (contacts::update), Write, "patch_contact", json, merge_patch, versioned;
        DELETE contacts::delete, Full, "delete_contact", versioned;
    }
    "/api/v1/contacts/{id}/erase" {
        POST erasures::erase, Full, "erase_contact", told_once;
    }
    "/api/v1/contacts/{id}/export" {
        GET disclosure::export, Read, "export_contact", streams;
    }
    "/api/v1/contacts/{id}/merge" {
        POST merges::merge, Full, "merge_contact", json;
    }
    "/api/v1/contacts/{id}/restore" {
        POST contacts::restore, Write, "restore_contact", versioned;
    }
    "/api/v1/contacts/{id}/tags" {
        POST actions::add_tag, Write, "add_contact_tag", json, versioned, grows;
        PUT actions::replace_tags, Write, "replace_contact_tags", json, versioned, grows;
    }
    "/api/v1/contacts/{id}/tags/{tag_id}" {
        DELETE actions::remove_tag, Full, "remove_contact_tag", versioned;
    }
    "/api/v1/contacts/{id}/custom-fields/{field_id}" {
        POST actions::set_field, Write, "set_contact_field", json, versioned, grows;
    }
    "/api/v1/contacts/{id}/send-message" {
        POST actions::send_message, Write, "send_message", json, grows;
    }
    "/api/v1/contacts/{id}/start-flow" {
        POST actions::start_flow, Write, "start_flow", json, grows;
    }
    "/api/v1/contacts/{id}/events" {
        POST actions::record_event, Write, "record_custom_event", json, told_once, grows;
    }
    "/api/v1/contacts/{id}/timeline" {
        GET timeline::list, Read, "list_contact_timeline", query, uncounted;
    }
    "/api/v1/contacts/{id}/sequences" {
        GET enrollments::of_contact, Read, "list_contact_sequences", query;
    }
    "/api/v1/contacts/{id}/sequences/{sequence_id}" {
        GET enrollments::get, Read, "get_enrollment";
        POST enrollments::enroll, Write, "enroll_contact", grows;
        DELETE enrollments::exit, Full, "exit_enrollment";
    }
    "/api/v1/contacts/{id}/sequences/{sequence_id}/pause" {
        POST enrollments::pause, Write, "pause_enrollment";
    }
    "/api/v1/contacts/{id}/sequences/{sequence_id}/resume" {
        POST enrollments::resume, Write, "resume_enrollment";
    }
    "/api/v1/tags" {
        GET tags::list, Read, "list_tags", query;
        POST tags::create, Write, "create_tag", json, grows;
    }
    "/api/v1/tags/{id}" {
        GET tags::get, Read, "get_tag";
        PUT tags::update, Write, "update_tag", json, versioned, grows;
        PATCH (tags::update), Write, "patch_tag", json, merge_patch, versioned, grows;
        DELETE tags::delete, Full, "delete_tag", versioned, forceable;
    }
    "/api/v1/custom-fields" {
        GET custom_fields::list, Read, "list_custom_fields", query;
        POST custom_fields::create, Write, "create_custom_field", json, grows;
    }
    "/api/v1/custom-fields/{id}" {
        GET custom_fields::get, Read, "get_custom_field";
        PUT custom_fields::update, Write, "update_custom_field", json, versioned, forceable, grows;
        PATCH (custom_fields::update), Write, "patch_custom_field", json, merge_patch, versioned, forceable, grows;
        DELETE custom_fields::delete, Full, "delete_custom_field", versioned, forceable;
    }
    "/api/v1/bot-fields" {
        GET bot_fields::list, Read, "list_bot_fields", query;
        POST bot_fields::create, Write, "create_bot_field", json, grows;
    }
    "/api/v1/bot-fields/{id}" {
        GET bot_fields::get, Read, "get_bot_field";
        POST bot_fields::set, Write, "set_bot_field", json, versioned, grows;
        PATCH bot_fields::patch, Write, "patch_bot_field", json, versioned, grows;
        DELETE bot_fields::delete, Full, "delete_bot_field", versioned, forceable;
    }
    "/api/v1/secrets" {
        GET secrets::list, Read, "list_secrets", query;
    }
    "/api/v1/secrets/{name}" {
        GET secrets::get, Read, "get_secret";
        PUT secrets::put, Full, "put_secret", json, versioned, privileged, grows;
        DELETE secrets::delete, Full, "delete_secret", versioned, forceable, privileged;
    }
    "/api/v1/sandbox/clock" {
        GET sandboxes::clock, Read, "get_sandbox_clock";
        POST sandboxes::move_clock, Full, "move_sandbox_clock", json, told_once;
    }
    "/api/v1/sandbox/reset" {
        POST sandboxes::reset, Full, "reset_sandbox", told_once;
    }
    "/api/v1/sandbox/inbound" {
        POST sandboxes::inbound, Full, "play_sandbox_inbound", json;
    }
    "/api/v1/jobs" {
        GET jobs::list, Read, "list_jobs", query;
    }
    "/api/v1/jobs/{id}" {
        GET jobs::get, Read, "get_job";
        DELETE jobs::delete, Full, "delete_job";
    }
    "/api/v1/jobs/{id}/retry" {
        POST jobs::retry, Write, "retry_job";
    }
    "/api/v1/conversations" {
        GET conversations::list, Read, "list_conversations", query, searches;
    }
    "/api/v1/conversations/counts" {
        GET conversations::counts::counts, Read, "count_conversations", parameters, searches;
    }
    "/api/v1/conversations/{id}" {
        GET conversations::get, Read, "get_conversation";
    }
    "/api/v1/conversations/{id}/messages" {
        GET conversations::messages, Read, "list_messages", query;
        POST conversations::write, Write, "write_message", json, grows;
    }
    "/api/v1/conversations/{id}/resolve" {
        POST conversations::resolve, Write, "resolve_conversation", versioned;
    }
    "/api/v1/conversations/{id}/reopen" {
        POST conversations::reopen, Write, "reopen_conversation", versioned;
    }
    "/api/v1/conversations/{id}/snooze" {
        POST conversations::snooze, Write, "snooze_conversation", json, versioned;
    }
    "/api/v1/conversations/{id}/assign" {
        POST conversations::assign, Write, "assign_conversation", json, versioned;
    }
    "/api/v1/conversations/{id}/read" {
        POST conversations::read, Write, "read_conversation", versioned;
    }
    "/api/v1/assignees" {
        // Only credentials that can assign need it.
        GET assignees::list, Write, "list_assignees", query;
    }
    "/api/v1/messages/{id}" {
        GET conversations::message, Read, "get_message";
    }
    "/api/v1/messages/{id}/resend" {
        POST conversations::resend, Write, "resend_message", grows;
    }
    "/api/v1/channel-types" {
        GET channel_types::list, Read, "list_channel_types";
    }
    "/api/v1/channels" {
        GET channels::list, Read, "list_channels", query;
        POST channels::create, Write, "create_channel", json, secret, privileged, grows, registers;
    }
    "/api/v1/channels/{id}" {
        GET channels::get, Read, "get_channel";
        PUT channels::update, Write, "update_channel", json, versioned, privileged, grows, registers;
        PATCH (channels::update), Write, "patch_channel", json, versioned, privileged, grows, registers;
        DELETE channels::delete, Full, "delete_channel", versioned, forceable, privileged, registers;
    }
    "/api/v1/channels/{id}/connect" {
        POST channels::connect, Write, "connect_channel", versioned, privileged, registers;
    }
    "/api/v1/channels/{id}/disconnect" {
        POST channels::disconnect, Write, "disconnect_channel", versioned, privileged, registers;
    }
    "/api/v1/channels/{id}/test" {
        POST channels::test, Write, "test_channel", calls_out;
    }
    "/api/v1/channels/{id}/rotate-secret" {
        POST channels::rotate_secret, Write, "rotate_channel_secret", optional_json, versioned, secret, privileged;
    }
    "/api/v1/channels/{id}/preview" {
        POST channels::preview, Write, "preview_message", json, reads;
    }
    "/api/v1/channels/{id}/templates" {
        GET channel_templates::list, Read, "list_channel_templates", calls_out;
    }
    "/api/v1/channels/{id}/captured" {
        GET channels::captured, Read, "list_captured_messages", query;
    }
    "/api/v1/channels/{id}/unparsed" {
        GET channels::unparsed, Full, "list_unparsed_requests", query;
    }
    "/inbound/{token}" {
        POST inbound::receive, Signed, "receive_inbound", json;
    }
    "/api/v1/flows" {
        GET flows::list, Read, "list_flows", query;
        POST flows::create, Write, "create_flow", json, large, computes, grows;
    }
    "/api/v1/flows/validate" {
        POST flows::validate, Write, "validate_flow", json, large, reads, computes;
    }
    "/api/v1/flows/simulate" {
        POST simulations::definition, Write, "simulate_definition", json, large, reads, simulates;
    }
    "/api/v1/flows/{id}" {
        GET flows::get, Read, "get_flow";
        PUT flows::update, Write, "update_flow", json, large, versioned, computes, grows;
        PATCH (flows::update), Write, "patch_flow", json, large, versioned, computes, grows;
        DELETE flows::delete, Full, "delete_flow", versioned, forceable;
    }
    "/api/v1/flows/{id}/pause" {
        POST flows::pause, Write, "pause_flow", versioned;
    }
    "/api/v1/flows/{id}/resume" {
        POST flows::resume, Write, "resume_flow", versioned, computes;
    }
    "/api/v1/flows/{id}/publish" {
        POST flows::publish, Write, "publish_flow", optional_json, versioned, computes, grows;
    }
    "/api/v1/flows/{id}/versions" {
        GET versions::list, Read, "list_flow_versions", query;
    }
    "/api/v1/flows/{id}/statistics" {
        GET flow_statistics::get, Read, "flow_statistics", parameters;
    }
    "/api/v1/flows/{id}/versions/{number}/restore" {
        POST versions::restore, Write, "restore_flow_version", versioned, computes, grows;
    }
    "/api/v1/flows/{id}/simulate" {
        POST simulations::flow, Write, "simulate_flow", optional_json, large, reads, simulates;
    }
    "/api/v1/flow-runs" {
        GET runs::list, Read, "list_flow_runs", query;
    }
    "/api/v1/flow-runs/{id}/cancel" {
        POST runs::cancel, Write, "cancel_flow_run";
    }
    "/api/v1/flow-runs/{id}" {
        GET runs::get, Read, "get_flow_run";
    }
    "/api/v1/templates/render" {
        POST templates::render, Write, "render_template", json, reads, computes;
    }
    "/api/v1/saved-replies" {
        GET saved_replies::list, Read, "list_saved_replies", query;
        POST saved_replies::create, Write, "create_saved_reply", json, grows;
    }
    "/api/v1/saved-replies/{id}" {
        GET saved_replies::get, Read, "get_saved_reply";
        PUT saved_replies::update, Write, "update_saved_reply", json, versioned, grows;
        PATCH (saved_replies::update), Write, "patch_saved_reply", json, versioned, grows;
        DELETE saved_replies::delete, Full, "delete_saved_reply", versioned;
    }
    "/api/v1/media" {
        POST media::upload, Write, "upload_media", file, parameters;
    }
    "/api/v1/media/{id}" {
        GET media::download, Read, "download_media", streams;
        DELETE media::delete, Full, "delete_media";
    }
    "/api/v1/media/{id}/link" {
        POST media::link, Write, "link_media", optional_json, reads, secret;
    }
    "/m/{token}" {
        GET media::open_link, Token, "open_media_link", streams;
    }
    "/api/v1/segments" {
        GET segments::list, Read, "list_segments", query, searches;
        POST segments::create, Write, "create_segment", json, grows, searches;
    }
    "/api/v1/segments/{id}" {
        GET segments::get, Read, "get_segment", searches;
        PUT segments::update, Write, "update_segment", json, versioned, grows, searches;
        PATCH (segments::update), Write, "patch_segment", json, versioned, grows, searches;
        DELETE segments::delete, Full, "delete_segment", versioned, forceable;
    }
    "/api/v1/broadcasts" {
        GET broadcasts::list, Read, "list_broadcasts", query;
        POST broadcasts::create, Write, "create_broadcast", json, grows;
    }
    "/api/v1/broadcasts/{id}" {
        GET broadcasts::get, Read, "get_broadcast";
        PUT broadcasts::update, Write, "update_broadcast", json, versioned, grows;
        PATCH (broadcasts::update), Write, "patch_broadcast", json, versioned, grows;
        DELETE broadcasts::delete, Full, "delete_broadcast", versioned;
    }
    "/api/v1/broadcasts/{id}/recipients" {
        GET broadcasts::list_recipients, Read, "list_broadcast_recipients", query, uncounted;
    }
    "/api/v1/broadcasts/{id}/preview" {
        POST sending::preview, Write, "preview_broadcast", reads, searches;
    }
    "/api/v1/broadcasts/{id}/test" {
        POST sending::test, Write, "test_broadcast", json, told_once, grows;
    }
    "/api/v1/broadcasts/{id}/send" {
        POST sending::send, Write, "send_broadcast", optional_json, versioned, grows;
    }
    "/api/v1/broadcasts/{id}/pause" {
        POST sending::pause, Write, "pause_broadcast", versioned;
    }
    "/api/v1/broadcasts/{id}/resume" {
        POST sending::resume, Write, "resume_broadcast", versioned;
    }
    "/api/v1/broadcasts/{id}/cancel" {
        POST sending::cancel, Write, "cancel_broadcast", versioned;
    }
    "/api/v1/broadcasts/{id}/repeat" {
        POST sending::repeat, Write, "repeat_broadcast", grows;
    }
    "/api/v1/sequences" {
        GET sequences::list, Read, "list_sequences", query;
        POST sequences::create, Write, "create_sequence", json, grows;
    }
    "/api/v1/sequences/{id}" {
        GET sequences::get, Read, "get_sequence";
        PUT sequences::update, Write, "update_sequence", json, versioned, grows;
        PATCH (sequences::update), Write, "patch_sequence", json, versioned, grows;
        DELETE sequences::delete, Full, "delete_sequence", versioned, forceable;
    }
    "/api/v1/sequences/{id}/simulate" {
        POST simulations::sequence, Write, "simulate_sequence", optional_json, large, reads, simulates;
    }
    "/api/v1/sequences/{id}/enrollments" {
        GET enrollments::of_sequence, Read, "list_enrollments", query;
    }
    "/api/v1/webhooks" {
        GET webhooks::list, Full, "list_webhooks", query;
        POST webhooks::create, Full, "create_webhook", json, secret, privileged, grows;
    }
    "/api/v1/webhooks/{id}" {
        GET webhooks::get, Full, "get_webhook";
        PUT webhooks::update, Full, "update_webhook", json, versioned, privileged, grows;
        PATCH (webhooks::update), Full, "patch_webhook", json, versioned, privileged, grows;
        DELETE webhooks::delete, Full, "delete_webhook", versioned, privileged;
    }
    "/api/v1/webhooks/{id}/test" {
        POST webhooks::actions::test, Full, "test_webhook", optional_json, calls_out;
    }
    "/api/v1/webhooks/{id}/rotate-secret" {
        POST webhooks::actions::rotate_secret, Full, "rotate_webhook_secret", optional_json, versioned, secret, privileged;
    }
    "/api/v1/webhooks/{id}/enable" {
        POST webhooks::actions::enable, Full, "enable_webhook", versioned, privileged;
    }
    "/api/v1/webhooks/{id}/pause" {
        POST webhooks::actions::pause, Full, "pause_webhook", versioned, privileged;
    }
    "/api/v1/webhooks/{id}/replay" {
        POST webhooks::actions::replay, Full, "replay_deliveries", json, grows;
    }
    "/api/v1/webhooks/{id}/deliveries" {
        GET webhooks::list_deliveries, Full, "list_deliveries", query, uncounted;
    }
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}" {
        GET webhooks::get_delivery, Full, "get_delivery";
    }
    "/api/v1/analytics/overview" {
        GET analytics::overview, Read, "analytics_overview", parameters, searches;
    }
    "/api/v1/analytics/replies" {
        GET analytics::replies, Read, "analytics_replies", parameters, searches;
    }
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}/replay" {
        POST webhooks::actions::replay_delivery, Full, "replay_delivery", grows;
    }
    "/api/v1/events" {
        GET events::list, Read, "list_events", parameters;
    }
    "/api/v1/stream" {
        GET stream::open, Read, "stream_workspace", live;
    }
    "/api/v1/event-types" {
        GET event_types::list, Read, "list_event_types";
    }
    "/api/v1/me" {
        GET me::get, Read, "get_me";
    }
    "/auth/login" {
        POST auth::login, Login, "login", json, secret;
    }
    "/auth/refresh" {
        POST auth::refresh, Token, "refresh", optional_json, secret;
    }
    "/auth/invitations/{token}" {
        GET auth::invitations::show, Token, "get_invitation", secret;
        POST auth::invitations::accept, Token, "accept_invitation", json, secret, invites;
    }
    "/auth/reset-links/{token}" {
        GET auth::reset_links::show, Token, "get_reset_link", secret;
        POST auth::reset_links::set, Token, "reset_password", json, secret;
    }
    "/auth/logout" {
        POST auth::logout, SignedIn, "logout";
    }
    "/auth/sessions" {
        GET auth::sessions::list, SignedIn, "list_sessions";
    }
    "/auth/sessions/{id}" {
        DELETE auth::sessions::end, SignedIn, "end_session";
    }
    "/auth/me" {
        GET auth::me, SignedIn, "get_account", as_stored;
        PATCH auth::patch_me, SignedIn, "patch_account", json, secret;
    }
    "/auth/password" {
        POST auth::password, SignedIn, "change_password", json, secret;
    }
    "/platform/audit-log" {
        GET audit::list_outside, Operator, "list_platform_audit_log", query, uncounted;
    }
    "/platform/workspaces" {
        GET workspaces::list, SignedIn, "list_workspaces", query;
        POST workspaces::create, Operator, "create_workspace", json;
    }
    "/platform/workspaces/{ws}" {
        GET workspaces::get, Viewer, "get_workspace", of_deleted;
        PATCH workspaces::patch, AdminOrOperator, "patch_workspace", json, versioned, privileged;
        DELETE workspaces::delete, AdminOrOperator, "delete_workspace", json, parameters, versioned, privileged;
    }
    "/platform/workspaces/{ws}/restore" {
        POST workspaces::restore, AdminOrOperator, "restore_workspace", optional_json, versioned, privileged, of_deleted;
    }
    "/platform/workspaces/{ws}/export" {
        GET export::export, AdminOrOperator, "export_workspace", streams, searches;
    }
    "/platform/workspaces/{ws}/outbound" {
        PUT workspaces::set_outbound, AdminOrOperator, "set_workspace_outbound", json, versioned, privileged;
    }
    "/platform/workspaces/{ws}/members" {
        GET members::list, Admin, "list_members", query;
        POST members::invite, Admin, "invite_member", json, secret, privileged;
    }
    "/platform/workspaces/{ws}/members/{id}" {
        PATCH members::patch, Admin, "patch_member", json, versioned, privileged;
        DELETE members::delete, AdminOrSelf, "delete_member", versioned, privileged;
    }
    "/platform/workspaces/{ws}/members/{id}/reset-link" {
        POST auth::reset_links::create, AdminOrOperator, "create_reset_link", secret, told_once, privileged;
    }
    "/platform/workspaces/{ws}/api-keys" {
        GET keys::list, Admin, "list_api_keys", query;
        POST keys::create, Admin, "create_api_key", json, secret, privileged;
    }
    "/platform/workspaces/{ws}/api-keys/{id}" {
        DELETE keys::delete, Admin, "delete_api_key", versioned, privileged;
    }
    "/platform/workspaces/{ws}/api-keys/{id}/rotate" {
        POST keys::rotate, Admin, "rotate_api_key", optional_json, versioned, secret, privileged;
    }
    "/platform/workspaces/{ws}/audit-log" {
        GET audit::list, Admin, "list_audit_log", query, uncounted;
    }
    "/platform/workspaces/{ws}/usage" {
        GET usage::list, Admin, "list_usage", query, uncounted;
    }
    "/platform/workspaces/{ws}/usage/summary" {
        GET usage::summary, Admin, "summarise_usage", query, uncounted;
    }
    "/platform/workspaces/{ws}/usage/histogram" {
        GET usage::histogram, Admin, "count_usage", parameters;
    }
    "/platform/workspaces/{ws}/usage/errors" {
        GET usage::errors, Admin, "list_usage_errors", parameters;
    }
    "/platform/workspaces/{ws}/usage/keys" {
        GET usage::keys, Admin, "list_usage_by_key", parameters;
    }
    "/platform/workspaces/{ws}/usage/export" {
        GET usage::export, Admin, "export_usage", parameters, streams;
    }
    "/platform/workspaces/{ws}/storage" {
        GET storage::get, Viewer, "get_storage";
    }
    "/platform/workspaces/{ws}/sandbox" {
        GET sandbox::get, Admin, "get_sandbox";
        POST sandbox::create, Admin, "create_sandbox", privileged;
    }
    "/platform/workspaces/{ws}/sandbox/clock" {
        GET sandbox::clock, Admin, "get_clock_of_sandbox";
        POST sandbox::move_clock, Admin, "move_clock_of_sandbox", json, told_once;
    }
    "/platform/workspaces/{ws}/sandbox/reset" {
        POST sandbox::reset, Admin, "reset_sandbox_of_workspace", told_once;
    }
    "/platform/workspaces/{ws}/sandbox/inbound" {
        POST sandbox::inbound, Admin, "play_inbound", json;
    }
    "/healthz" {
        GET operations::live, Public, "live", probe;
    }
    "/readyz" {
        GET operations::ready, Public, "ready", probe;
    }
    "/openapi.json" {
        GET operations::document, Public, "openapi";
    }
}

//! The table of problems: code, status, title, and what the client can do.

use actix_web::http::StatusCode;

macro_rules! codes {
    ($($name:ident = $status:ident $code:literal, $title:literal, $detail:literal;)*) => {
        /// The code of a problem. Codes and their statuses are stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = concat!("`", $code, "`: ", $detail)] $name,)*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the word in `code`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// Returns the status, which is always the same for a code.
            pub fn status(self) -> StatusCode {
                match self { $(Self::$name => codes!(@status $status),)* }
            }

            /// Returns the title, which is always the same for a code (RFC 9457, section 3.1.3).
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }

            /// Returns the default `detail`.
            pub const fn detail(self) -> &'static str {
                match self { $(Self::$name => $detail,)* }
            }

            /// Returns the `type`: a relative reference (RFC 3986, section 4.2) to the page of the code.
            pub const fn type_uri(self) -> &'static str {
                match self { $(Self::$name => concat!("/problems/", $code),)* }
            }
        }
    };
    // The library does not name 425 (RFC 8470).
    (@status TOO_EARLY) => { StatusCode::from_u16(425).unwrap_or(StatusCode::SERVICE_UNAVAILABLE) };
    (@status $name:ident) => { StatusCode::$name };
}

codes! {
    BadRequest = BAD_REQUEST "bad_request", "Bad request",
        "The request could not be read.";
    MalformedJson = BAD_REQUEST "malformed_json", "Malformed JSON",
        "The body is not a single JSON value in UTF-8.";
    DuplicateKey = BAD_REQUEST "duplicate_key", "Duplicate key",
        "An object in the body has the same key twice; see `errors`.";
    InvalidCursor = BAD_REQUEST "invalid_cursor", "Invalid cursor",
        "The cursor is not from this list with these filters. Start again without a cursor.";
    InvalidHeader = BAD_REQUEST "invalid_header", "Invalid header",
        "A request header has an invalid value.";
    Unauthorized = UNAUTHORIZED "unauthorized", "Unauthorized",
        "Send a valid API key or access token as `Authorization: Bearer …`.";
    InvalidCredentials = UNAUTHORIZED "invalid_credentials", "Invalid credentials",
        "The email address or the password is wrong.";
    InvalidSignature = UNAUTHORIZED "invalid_signature", "Invalid signature",
        "The signature is missing or wrong, or its timestamp is off by more than five minutes. Sign the raw body with \
         the channel's secret, as in Standard Webhooks.";
    ForeignOrigin = FORBIDDEN "foreign_origin", "Foreign origin",
        "The request comes from a page of another origin. Only this server's own pages can use the refresh cookie.";
    InsufficientRole = FORBIDDEN "insufficient_role", "Insufficient role",
        "Your role in the workspace does not allow this.";
    InsufficientScope = FORBIDDEN "insufficient_scope", "Insufficient scope",
        "The API key's scope does not allow this.";
    NotFound = NOT_FOUND "not_found", "Not found",
        "There is no such object in this workspace.";
    RouteNotFound = NOT_FOUND "route_not_found", "Route not found",
        "The API has no route at this path.";
    MethodNotAllowed = METHOD_NOT_ALLOWED "method_not_allowed", "Method not allowed",
        "This path does not support the method; see `Allow`.";
    ContactExists = CONFLICT "contact_exists", "Contact exists",
        "Another contact has this email address, phone number, external ID or address on a channel; see `existing_id`. \
         `POST /api/v1/contacts?on_conflict=update` updates the existing contact.";
    ContactMerged = CONFLICT "contact_merged", "Contact merged",
        "The contact was merged into another contact. Use the contact in `merged_into`.";
    NameTaken = CONFLICT "name_taken", "Name taken",
        "Another object of this type has this name. Case is ignored. Choose another name.";
    KeyTaken = CONFLICT "key_taken", "Key taken",
        "Another object of this type has this key. Choose another key.";
    AlreadyExists = CONFLICT "already_exists", "Already exists",
        "The object already exists.";
    Conflict = CONFLICT "conflict", "Conflict",
        "The object changed during the request. Read it again and retry.";
    InUse = CONFLICT "in_use", "In use",
        "Other objects use this object; see `dependents`.";
    ConversationResolved = CONFLICT "conversation_resolved", "Conversation resolved",
        "The conversation is resolved. Reopen it first.";
    NotResendable = CONFLICT "not_resendable", "Not resendable",
        "Only a message to a contact that is `failed` or `uncertain` can be sent again, unless its text could not be \
         rendered (`template_error`).";
    NoChannel = CONFLICT "no_channel", "No channel",
        "The channel was deleted, or the workspace has no default channel. Choose another channel, or set a default \
         channel.";
    NoPublicUrl = CONFLICT "no_public_url", "No public URL",
        "The provider must call this server, and the server does not know its public address. Ask an operator to set \
         `http.public_url` to its `https` address, and retry.";
    SetupFailed = CONFLICT "setup_failed", "Set-up failed",
        "The provider did not set up the channel; see `step`, `provider_code` and `hint`.";
    AccountInUse = CONFLICT "account_in_use", "Account in use",
        "Another channel of the workspace uses this account of the provider; see `existing_id`.";
    FlowNotActive = CONFLICT "flow_not_active", "Flow not active",
        "The flow has no active published version. Publish it, or resume it if it is paused.";
    SequenceNotActive = CONFLICT "sequence_not_active", "Sequence not active",
        "The sequence does not accept contacts. To activate a draft with steps or a paused sequence, send \
         `PATCH /api/v1/sequences/{id}` with `{\"status\":\"active\"}`. An archived sequence cannot be activated.";
    ReenrollmentForbidden = CONFLICT "reenrollment_forbidden", "Re-enrollment forbidden",
        "The contact was in this sequence before, and `reenroll` does not allow another enrollment.";
    JobNotDead = CONFLICT "job_not_dead", "Job not dead-lettered",
        "The job is queued or running. Only dead-lettered jobs can be retried or discarded.";
    JobSettled = CONFLICT "job_settled", "Job settled",
        "The failure of this job was already recorded. Retry the delivery or message instead.";
    BroadcastStatus = CONFLICT "broadcast_status", "Broadcast status",
        "The status of the broadcast does not allow this action.";
    NoRecipients = CONFLICT "no_recipients", "No recipients",
        "No recipient of the broadcast can get its message again: all others got it, may have it, or cannot be reached.";
    AudienceChanged = CONFLICT "audience_changed", "Audience changed",
        "The audience differs from the expected count by more than 5 %; see `count`.";
    StorageFull = CONFLICT "storage_full", "Storage full",
        "The workspace has reached the storage limit of its plan, so nothing can be created or enlarged. Delete unused \
         data, or ask an operator to raise the plan. `GET /platform/workspaces/{ws}/storage` shows the usage.";
    MediaQuota = CONFLICT "media_quota", "Files full",
        "The files of the workspace would exceed the limit of its plan; see `total` and `limit`. Delete unused files, \
         or ask an operator to raise the plan.";
    OutboundHeld = CONFLICT "outbound_held", "Outbound paused",
        "Outbound sending is paused for this workspace. An admin can resume it with `PUT \
         /platform/workspaces/{ws}/outbound`.";
    NotASandbox = CONFLICT "not_a_sandbox", "Not a sandbox",
        "This works only in a sandbox. Use a sandbox key, which begins with `tdg_test_`. `POST \
         /platform/workspaces/{ws}/sandbox` creates a sandbox.";
    ClockInUse = CONFLICT "clock_in_use", "Clock in use",
        "Another request is moving the clock of this sandbox. Retry after it has finished.";
    NeedsOperator = CONFLICT "needs_operator", "Needs an operator",
        "The user belongs to other workspaces or is an operator. Only an operator can create this link.";
    SignInRequired = CONFLICT "sign_in_required", "Sign-in required",
        "The address of this invitation has an account. Sign in with any of your accounts, and accept with its access \
         token and `current_password`.";
    LastOwner = CONFLICT "last_owner", "Last owner",
        "A workspace needs at least one owner. Make another member an owner first.";
    WorkspaceDeleted = GONE "workspace_deleted", "Workspace deleted",
        "The workspace is deleted. Until `restore_until`, an owner or operator can restore it with `POST \
         /platform/workspaces/{ws}/restore`.";
    EventsGone = GONE "events_gone", "Events gone",
        "The server does not have all events after this position. Open the stream without `Last-Event-ID`, and reload \
         your data.";
    PreconditionFailed = PRECONDITION_FAILED "precondition_failed", "Precondition failed",
        "The version of the object does not match `If-Match` or `If-None-Match`. Read the object again.";
    PayloadTooLarge = PAYLOAD_TOO_LARGE "payload_too_large", "Payload too large",
        "The body is too large for this route.";
    TooLarge = PAYLOAD_TOO_LARGE "too_large", "File too large",
        "The file is larger than this server accepts.";
    UriTooLong = URI_TOO_LONG "uri_too_long", "URI too long",
        "The path and query are too long.";
    FilePending = TOO_EARLY "file_pending", "File pending",
        "The server is fetching the file from the provider. Retry after `Retry-After` seconds, until `status` of the \
         attachment changes.";
    RangeNotSatisfiable = RANGE_NOT_SATISFIABLE "range_not_satisfiable", "Range not satisfiable",
        "The range begins after the end of the file; see `Content-Range`.";
    UnsupportedMediaType = UNSUPPORTED_MEDIA_TYPE "unsupported_media_type", "Unsupported media type",
        "Send the body as `Content-Type: application/json`, without `Content-Encoding`.";
    ValidationFailed = UNPROCESSABLE_ENTITY "validation_failed", "Validation failed",
        "Parts of the request are invalid; see `errors`.";
    WorkspaceRequired = UNPROCESSABLE_ENTITY "workspace_required", "Workspace required",
        "You belong to zero or several workspaces; select one with `X-Workspace-Id`.";
    IdempotencyKeyReused = UNPROCESSABLE_ENTITY "idempotency_key_reused", "Idempotency key reused",
        "This `Idempotency-Key` was used for a different request in the last 24 hours. Use a new key for each new \
         request.";
    QueryTooSlow = UNPROCESSABLE_ENTITY "query_too_slow", "Query too slow",
        "The query exceeded its time limit. A retry does not help; narrow the query with fewer or simpler conditions, \
         a tag, a status or a shorter time range.";
    LimitExceeded = UNPROCESSABLE_ENTITY "limit_exceeded", "Limit exceeded",
        "The limit for this type of object is reached.";
    RateLimited = TOO_MANY_REQUESTS "rate_limited", "Rate limited",
        "The plan's requests per minute are used up. Retry after `Retry-After` seconds.";
    InvitationLimit = TOO_MANY_REQUESTS "invitation_limit", "Too many invitations",
        "At most 20 invitations of the last hour can be open, have created an account, or have failed with \
         `sign_in_required`. Withdraw an open invitation, or retry after `Retry-After` seconds.";
    StartLimit = TOO_MANY_REQUESTS "start_limit", "Started too often",
        "The flow was started too often for this contact. Retry after `Retry-After` seconds.";
    SimulationLimit = TOO_MANY_REQUESTS "simulation_limit", "Too many simulations",
        "Too many simulations of the workspace are running or waiting. Retry after `Retry-After` seconds.";
    SearchLimit = TOO_MANY_REQUESTS "search_limit", "Too many searches",
        "Too many searches, counts and exports of the workspace are running or waiting. Retry after `Retry-After` \
         seconds.";
    ComputeLimit = TOO_MANY_REQUESTS "compute_limit", "Too many large requests",
        "Too many large requests of the workspace are running or waiting. Send fewer at once, and retry after \
         `Retry-After` seconds.";
    StreamLimit = TOO_MANY_REQUESTS "stream_limit", "Too many streams",
        "The limit of open streams is reached. Close a stream, or retry after `Retry-After` seconds.";
    TooManyAttempts = TOO_MANY_REQUESTS "too_many_attempts", "Too many attempts",
        "Too many attempts. Retry after `Retry-After` seconds.";
    RequestTimeout = REQUEST_TIMEOUT "request_timeout", "Request timeout",
        "The body of the request did not arrive in time. Send the request again.";
    Internal = INTERNAL_SERVER_ERROR "internal", "Internal error",
        "An error occurred on the server. Search the server logs for `request_id`.";
    Unavailable = SERVICE_UNAVAILABLE "unavailable", "Unavailable",
        "The database is unavailable, and nothing has changed. Retry after `Retry-After` seconds.";
    OutcomeUnknown = SERVICE_UNAVAILABLE "outcome_unknown", "Outcome unknown",
        "It is unknown whether the request was applied. Check the object before a retry, or retry with the same \
         `Idempotency-Key`.";
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_unique_words_with_an_error_status() {
        let words: HashSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(words.len(), Code::ALL.len());
        for code in Code::ALL {
            assert!(code.as_str().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{code:?}");
            assert!(code.status().is_client_error() || code.status().is_server_error(), "{code:?}");
            assert_eq!(code.type_uri(), format!("/problems/{}", code.as_str()));
            assert!(code.detail().ends_with('.') && !code.title().ends_with('.'), "{code:?}");
        }
    }
}

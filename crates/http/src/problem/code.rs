//! The one table of problems: word, status, title, and what the client can do.

use actix_web::http::StatusCode;

macro_rules! codes {
    ($($name:ident = $status:ident $code:literal, $title:literal, $detail:literal;)*) => {
        /// Why a request was not done. The words and statuses are stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = concat!("`", $code, "`: ", $detail)] $name,)*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The word in `code`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// The status that goes with it, always.
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status,)* }
            }

            /// The kind of problem in a few words; the same on every occurrence (RFC 9457, section 3.1.3).
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }

            /// The `detail` where nothing more precise is said.
            pub const fn detail(self) -> &'static str {
                match self { $(Self::$name => $detail,)* }
            }

            /// The `type`: a relative reference (RFC 3986, section 4.2) to the page that tells of the code.
            pub const fn type_uri(self) -> &'static str {
                match self { $(Self::$name => concat!("/problems/", $code),)* }
            }
        }
    };
}

codes! {
    BadRequest = BAD_REQUEST "bad_request", "Bad request",
        "The request could not be read.";
    MalformedJson = BAD_REQUEST "malformed_json", "Malformed JSON",
        "The body is not one JSON text in UTF-8.";
    DuplicateKey = BAD_REQUEST "duplicate_key", "Duplicate key",
        "An object in the body has the same key twice.";
    InvalidCursor = BAD_REQUEST "invalid_cursor", "Invalid cursor",
        "The cursor was not made by this list with these filters; start again without it.";
    InvalidHeader = BAD_REQUEST "invalid_header", "Invalid header",
        "A header of the request has a value that cannot be read.";
    Unauthorized = UNAUTHORIZED "unauthorized", "Unauthorized",
        "Send a valid API key or access token as `Authorization: Bearer …`.";
    InvalidCredentials = UNAUTHORIZED "invalid_credentials", "Invalid credentials",
        "The e-mail address or the password is wrong.";
    InvalidSignature = UNAUTHORIZED "invalid_signature", "Invalid signature",
        "Sign the raw body by Standard Webhooks with the channel's secret, within five minutes.";
    ForeignOrigin = FORBIDDEN "foreign_origin", "Foreign origin",
        "The request comes from a page that is not this server's own; the refresh cookie is for those alone.";
    InsufficientRole = FORBIDDEN "insufficient_role", "Insufficient role",
        "Your role in the workspace does not allow this.";
    InsufficientScope = FORBIDDEN "insufficient_scope", "Insufficient scope",
        "The API key's scope does not allow this.";
    NotFound = NOT_FOUND "not_found", "Not found",
        "There is no such object in this workspace.";
    RouteNotFound = NOT_FOUND "route_not_found", "Route not found",
        "The API has nothing at this path.";
    MethodNotAllowed = METHOD_NOT_ALLOWED "method_not_allowed", "Method not allowed",
        "The path takes other methods; `Allow` lists them.";
    ContactExists = CONFLICT "contact_exists", "Contact exists",
        "Another contact has this e-mail address, phone number or external id; `existing_id` names it. \
         `POST /contacts?on_conflict=update` updates who is there.";
    ContactMerged = CONFLICT "contact_merged", "Contact merged",
        "The contact was merged into another; `merged_into` names it.";
    NameTaken = CONFLICT "name_taken", "Name taken",
        "Another object of this kind has this name, differences in case aside.";
    KeyTaken = CONFLICT "key_taken", "Key taken",
        "Another object of this kind has this key.";
    AlreadyExists = CONFLICT "already_exists", "Already exists",
        "The object exists already.";
    Conflict = CONFLICT "conflict", "Conflict",
        "The object changed while the request was at work; read it again and repeat.";
    InUse = CONFLICT "in_use", "In use",
        "Other objects name this one; `dependents` lists them.";
    ConversationResolved = CONFLICT "conversation_resolved", "Conversation resolved",
        "The conversation is resolved; reopen it first.";
    NoChannel = CONFLICT "no_channel", "No channel",
        "The workspace has no channel that could carry the message.";
    FlowNotActive = CONFLICT "flow_not_active", "Flow not active",
        "The flow has no published version that may be started: publish it, or resume it where it is paused.";
    SequenceNotActive = CONFLICT "sequence_not_active", "Sequence not active",
        "The sequence takes no contacts now: `PATCH /sequences/{id}` with `{\"status\":\"active\"}` activates one that is a draft \
         with steps, or paused; an archived one is over.";
    ReenrollmentForbidden = CONFLICT "reenrollment_forbidden", "Re-enrollment forbidden",
        "The contact was in this sequence, and its policy does not let it come again.";
    JobNotDead = CONFLICT "job_not_dead", "Job not put aside",
        "The job is to be done, or is being done; only what was put aside is retried or dropped.";
    JobSettled = CONFLICT "job_settled", "Job settled",
        "What waited for the job was told that it failed.";
    BroadcastStatus = CONFLICT "broadcast_status", "Broadcast status",
        "The broadcast has a status in which this cannot be done.";
    AudienceChanged = CONFLICT "audience_changed", "Audience changed",
        "The audience differs by more than 5 % from what was expected; `count` says how many contacts it has.";
    StorageFull = CONFLICT "storage_full", "Storage full",
        "The workspace has as much text stored as its plan allows, so nothing is created or enlarged. Delete what is not needed, \
         or have an operator raise the plan; `GET /platform/workspaces/{ws}/storage` shows what is stored.";
    OutboundHeld = CONFLICT "outbound_held", "Outbound held",
        "What the workspace sends is held at present; nothing leaves.";
    NotASandbox = CONFLICT "not_a_sandbox", "Not a sandbox",
        "This works in sandboxes alone: use a key of one, which begins with `tdg_test_`; \
         `POST /platform/workspaces/{ws}/sandbox` makes a sandbox.";
    ClockInUse = CONFLICT "clock_in_use", "Clock in use",
        "Another request moves the clock of this sandbox; repeat when it was answered.";
    NeedsOperator = CONFLICT "needs_operator", "Needs an operator",
        "The person belongs to other workspaces, too, or runs the service: an operator makes the link.";
    SignInRequired = CONFLICT "sign_in_required", "Sign-in required",
        "The address of this invitation has an account. Sign in with an account of yours, whatever its address, and accept \
         with its access token and `current_password`.";
    LastOwner = CONFLICT "last_owner", "Last owner",
        "A workspace keeps at least one owner; make somebody else one first.";
    EventsGone = GONE "events_gone", "Events gone",
        "Not all events behind this position are there any more; begin at the present, and read again what you show.";
    PreconditionFailed = PRECONDITION_FAILED "precondition_failed", "Precondition failed",
        "The object has another version than `If-Match` or `If-None-Match` allows; read it again.";
    PayloadTooLarge = PAYLOAD_TOO_LARGE "payload_too_large", "Payload too large",
        "The body is larger than this route takes.";
    UriTooLong = URI_TOO_LONG "uri_too_long", "URI too long",
        "The path and query are longer than the server takes.";
    UnsupportedMediaType = UNSUPPORTED_MEDIA_TYPE "unsupported_media_type", "Unsupported media type",
        "Send the body as `Content-Type: application/json`, without `Content-Encoding`.";
    ValidationFailed = UNPROCESSABLE_ENTITY "validation_failed", "Validation failed",
        "Parts of the request are wrong; `errors` says where, and what would be right.";
    WorkspaceRequired = UNPROCESSABLE_ENTITY "workspace_required", "Workspace required",
        "You have a place in no or in several workspaces; name one by the header `X-Workspace-Id: ws_…`.";
    IdempotencyKeyReused = UNPROCESSABLE_ENTITY "idempotency_key_reused", "Idempotency key reused",
        "This `Idempotency-Key` was used for another request within the last 24 hours.";
    QueryTooSlow = UNPROCESSABLE_ENTITY "query_too_slow", "Query too slow",
        "The query reached its time limit. Repeating it does not help: narrow it by fewer or simpler conditions, a tag, a \
         status or a shorter span of time.";
    LimitExceeded = UNPROCESSABLE_ENTITY "limit_exceeded", "Limit exceeded",
        "The workspace or the object has as many of these as it may have.";
    RateLimited = TOO_MANY_REQUESTS "rate_limited", "Rate limited",
        "The plan's requests per minute are used up; repeat after `Retry-After` seconds.";
    InvitationLimit = TOO_MANY_REQUESTS "invitation_limit", "Too many invitations",
        "At most 20 invitations of an hour may be open, or accepted in vain. Withdraw one that nobody tried, or invite again \
         after `Retry-After` seconds.";
    StartLimit = TOO_MANY_REQUESTS "start_limit", "Started too often",
        "The contact was started in this flow too often; repeat after `Retry-After` seconds.";
    SimulationLimit = TOO_MANY_REQUESTS "simulation_limit", "Too many simulations",
        "The workspace has as many simulations under way and waiting as it may; repeat after `Retry-After` seconds.";
    SearchLimit = TOO_MANY_REQUESTS "search_limit", "Too many searches",
        "The workspace has as many searches, counts and exports running and waiting as it may; repeat after `Retry-After` \
         seconds.";
    ComputeLimit = TOO_MANY_REQUESTS "compute_limit", "Too many large requests",
        "The workspace has as many large requests under way and waiting as it may; send fewer at once, and repeat after \
         `Retry-After` seconds.";
    StreamLimit = TOO_MANY_REQUESTS "stream_limit", "Too many streams",
        "As many streams are open as there may be; close one, or repeat after `Retry-After` seconds.";
    TooManyAttempts = TOO_MANY_REQUESTS "too_many_attempts", "Too many attempts",
        "Too many attempts were made; repeat after `Retry-After` seconds.";
    RequestTimeout = REQUEST_TIMEOUT "request_timeout", "Request timeout",
        "The request did not arrive in time.";
    Internal = INTERNAL_SERVER_ERROR "internal", "Internal error",
        "Something went wrong on the server; `request_id` finds it in the logs.";
    Unavailable = SERVICE_UNAVAILABLE "unavailable", "Unavailable",
        "The store cannot be reached; nothing has changed. Repeat after `Retry-After` seconds.";
    OutcomeUnknown = SERVICE_UNAVAILABLE "outcome_unknown", "Outcome unknown",
        "The request may or may not have been done. Read before repeating, or repeat with the same `Idempotency-Key`.";
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_code_is_one_word_of_its_own_with_an_error_status() {
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

//! The problems of the domain's errors.

use tidings_domain::channels::SetupFailure;
use tidings_domain::ports::{PausedBy, StoreError};
use tidings_domain::read::Refusal;
use tidings_domain::references::Dependent;
use tidings_domain::{Error, Violation};

use super::{Code, Problem};

/// Value of `Retry-After`, in seconds, if the store is busy.
const RETRY_STORE: u64 = 1;

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Malformed { detail } => Self::new(Code::MalformedJson).detail(detail),
            Refusal::DuplicateKey { pointer } => {
                let code = Code::DuplicateKey;
                let twice = Violation::new(pointer, code.as_str(), "this key appears more than once in its object");
                Self::new(code).errors(vec![twice.into()])
            }
            Refusal::Invalid(violations) => Self::invalid(violations),
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound => Self::new(Code::NotFound),
            Error::Missing(what) => Self::missing(what),
            Error::Invalid(violations) => Self::invalid(violations),
            Error::ContactExists { field, existing } => Self::new(Code::ContactExists)
                .detail(format!("Another contact has this `{field}`; see `existing_id`."))
                .extension("existing_id", existing.to_string()),
            Error::ContactMerged { into } => Self::new(Code::ContactMerged).extension("merged_into", into.to_string()),
            Error::Taken { what, field, existing } => {
                let problem =
                    match field {
                        "key" => Self::new(Code::KeyTaken)
                            .detail(format!("Another {what} has this key. Choose another key.")),
                        field => Self::new(Code::NameTaken)
                            .detail(format!("Another {what} has this {field}. Case is ignored.")),
                    };
                existing.map_or(problem.clone(), |existing| problem.extension("existing_id", existing))
            }
            Error::Full { what, most } => {
                Self::new(Code::LimitExceeded).detail(format!("The limit of {most} {what} is reached."))
            }
            Error::InUse(dependents) => {
                let detail = format!("Used by {}. `?force=true` deletes it anyway.", listed(&dependents));
                Self::new(Code::InUse)
                    .detail(detail)
                    .extension("dependents", serde_json::to_value(dependents).unwrap_or_default())
            }
            Error::OptionsInUse { contacts, dependents } => {
                let more = if contacts.is_capped { "more than " } else { "" };
                let detail = format!(
                    "An option that the request removes is used (contacts: {more}{}, other objects: {}). `?force=true` \
                     removes it anyway.",
                    contacts.rows,
                    dependents.len()
                );
                let problem = Self::new(Code::InUse)
                    .detail(detail)
                    .extension("contacts", contacts.rows)
                    .extension("dependents", serde_json::to_value(dependents).unwrap_or_default());
                if contacts.is_capped { problem.extension("contacts_is_capped", true) } else { problem }
            }
            Error::ConversationResolved => Self::new(Code::ConversationResolved),
            Error::NotResendable => Self::new(Code::NotResendable),
            Error::NoChannel => Self::new(Code::NoChannel),
            Error::NoPublicUrl => Self::new(Code::NoPublicUrl),
            Error::SetupFailed(SetupFailure { step, provider_code, hint, secret: _ }) => {
                let problem = Self::new(Code::SetupFailed).detail(hint.clone());
                let problem = problem.extension("step", step).extension("hint", hint);
                provider_code.map_or(problem.clone(), |code| problem.extension("provider_code", code))
            }
            Error::AccountInUse { existing } => {
                Self::new(Code::AccountInUse).extension("existing_id", existing.to_string())
            }
            Error::FlowNotActive => Self::new(Code::FlowNotActive),
            Error::SequenceNotActive => Self::new(Code::SequenceNotActive),
            Error::ReenrollmentForbidden(why) => {
                Self::new(Code::ReenrollmentForbidden).detail(format!("Not enrolled: {why}."))
            }
            Error::BroadcastStatus(status) => {
                let status = status.as_str();
                Self::new(Code::BroadcastStatus)
                    .detail(format!("The status of the broadcast is `{status}`, which does not allow this action."))
            }
            Error::NoRecipients => Self::new(Code::NoRecipients),
            Error::AudienceChanged { count } => Self::new(Code::AudienceChanged)
                .detail(format!(
                    "The audience has {count} contacts, which differs from the expected count by more than 5 %. To \
                     accept it, send this number as `expected_count`."
                ))
                .extension("count", count),
            Error::StartLimit { retry_after } => {
                Self::new(Code::StartLimit).retry_after(retry_after.as_millis().div_ceil(1_000) as u64)
            }
            Error::InvalidCursor => Self::new(Code::InvalidCursor),
            Error::JobNotDead => Self::new(Code::JobNotDead),
            Error::JobSettled(advice) => {
                Self::new(Code::JobSettled).detail(format!("The job cannot be retried: {advice}."))
            }
            Error::StorageFull { total, limit } => {
                Self::new(Code::StorageFull).extension("total", total).extension("limit", limit)
            }
            Error::MediaTooLarge { most } => {
                Self::new(Code::TooLarge).detail(format!("A file can have at most {most} bytes."))
            }
            Error::MediaQuota { total, limit } => {
                Self::new(Code::MediaQuota).extension("total", total).extension("limit", limit)
            }
            Error::MediaInUse => Self::new(Code::InUse)
                .detail("A message uses the file. The file is deleted when the contact of the message is erased."),
            Error::MediaReferredTo(dependents) => Self::new(Code::InUse)
                .detail(format!("Used by {}. Remove the file there first.", listed(&dependents)))
                .extension("dependents", serde_json::to_value(dependents).unwrap_or_default()),
            Error::OutboundHeld(PausedBy::Workspace) => Self::new(Code::OutboundHeld),
            Error::OutboundHeld(PausedBy::Setting | PausedBy::Store | PausedBy::Restore) => {
                Self::new(Code::OutboundHeld)
                    .detail("An operator has paused all outbound sending of this server. Ask an operator to resume it.")
            }
            Error::WorkspaceDeleted { restore_until } => {
                Self::new(Code::WorkspaceDeleted).extension("restore_until", restore_until.to_string())
            }
            Error::NotASandbox => Self::new(Code::NotASandbox),
            Error::ClockInUse => Self::new(Code::ClockInUse),
            Error::NeedsOperator => Self::new(Code::NeedsOperator),
            Error::LastOwner => Self::new(Code::LastOwner),
            Error::SignInRequired => Self::new(Code::SignInRequired),
            Error::AlreadyMember => Self::new(Code::AlreadyExists)
                .detail("You are already a member of this workspace; nothing has changed."),
            Error::InvitationLimit { retry_after } => {
                Self::new(Code::InvitationLimit).retry_after(retry_after.as_millis().div_ceil(1_000) as u64)
            }
            Error::ActorChanged => Self::new(Code::InsufficientRole).detail(
                "Your role, your membership or your API key changed during the request, so nothing has changed.",
            ),
            Error::Unauthorized => Self::new(Code::Unauthorized),
            Error::RoleTooLow(role) => Self::insufficient_role(role.as_str()),
            Error::ScopeTooLow(scope) => Self::insufficient_scope(scope.as_str()),
            Error::TooManyAttempts { retry_after } => {
                Self::new(Code::TooManyAttempts).retry_after(retry_after.as_millis().div_ceil(1_000) as u64)
            }
            Error::Busy => Self::new(Code::Unavailable)
                .detail("Too many password checks are waiting. Retry after `Retry-After` seconds.")
                .retry_after(RETRY_STORE),
            Error::PreconditionFailed => Self::new(Code::PreconditionFailed),
            // The winner's record was returned before, unless it has just expired.
            Error::IdempotencyRace => Self::from(StoreError::Contention),
            Error::Store(error) => Self::from(error),
        }
    }
}

/// Returns the first objects of a list, and the number of the others.
fn listed(dependents: &[Dependent]) -> String {
    let named = dependents.iter().map(|it| format!("{} “{}”", it.kind.replace('_', " "), it.name));
    let named: Vec<String> = named.take(3).collect();
    let more = match dependents.len().saturating_sub(named.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", named.join(", "))
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(why) => {
                tracing::warn!(error = why, "a store is unavailable");
                Self::new(Code::Unavailable).retry_after(RETRY_STORE)
            }
            StoreError::Crowded => Self::new(Code::SearchLimit).retry_after(RETRY_STORE),
            StoreError::TooSlow => Self::new(Code::QueryTooSlow),
            StoreError::Contention => Self::new(Code::Unavailable)
                .detail(
                    "Other requests are changing the same objects, and nothing has changed. Retry after `Retry-After` \
                     seconds.",
                )
                .retry_after(RETRY_STORE),
            StoreError::Corrupt(why) => {
                tracing::error!(error = why, "the database contains unreadable data");
                Self::new(Code::Internal)
            }
            StoreError::OutcomeUnknown => Self::new(Code::OutcomeUnknown).retry_after(RETRY_STORE),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use actix_web::ResponseError;
    use tidings_domain::Violation;
    use tidings_domain::access::{Role, Scope};
    use tidings_domain::ids::{ChannelId, ContactId, FlowId, TypedId};
    use tidings_domain::pagination::Total;
    use tidings_domain::references::{Dependent, Referrer};
    use uuid::Uuid;

    use super::*;

    fn setup_failure() -> SetupFailure {
        let hint = "Telegram rejected the address.".to_owned();
        SetupFailure { step: "set_webhook", provider_code: Some("400".to_owned()), hint, secret: None }
    }

    #[test]
    fn maps_every_error_to_its_status_and_code() {
        let existing = ContactId::from_uuid(Uuid::nil());
        let store = |error: StoreError| Error::Store(error);
        let table = [
            (Error::NotFound, 404, "not_found"),
            (Error::Missing("tag"), 404, "not_found"),
            (Error::Invalid(vec![]), 422, "validation_failed"),
            (Error::ContactExists { field: "email", existing }, 409, "contact_exists"),
            (Error::ContactMerged { into: existing }, 409, "contact_merged"),
            (Error::Taken { what: "tag", field: "name", existing: None }, 409, "name_taken"),
            (Error::Taken { what: "custom field", field: "key", existing: None }, 409, "key_taken"),
            (Error::Full { what: "tags", most: 1 }, 422, "limit_exceeded"),
            (Error::InUse(vec![]), 409, "in_use"),
            (Error::OptionsInUse { contacts: Total::of(3), dependents: vec![] }, 409, "in_use"),
            (Error::NotResendable, 409, "not_resendable"),
            (Error::MediaTooLarge { most: 1 }, 413, "too_large"),
            (Error::MediaQuota { total: 2, limit: 2 }, 409, "media_quota"),
            (Error::MediaInUse, 409, "in_use"),
            (Error::MediaReferredTo(vec![]), 409, "in_use"),
            (Error::NoChannel, 409, "no_channel"),
            (Error::NoPublicUrl, 409, "no_public_url"),
            (Error::SetupFailed(setup_failure()), 409, "setup_failed"),
            (Error::AccountInUse { existing: ChannelId::from_uuid(Uuid::nil()) }, 409, "account_in_use"),
            (Error::FlowNotActive, 409, "flow_not_active"),
            (Error::SequenceNotActive, 409, "sequence_not_active"),
            (Error::ReenrollmentForbidden("once".into()), 409, "reenrollment_forbidden"),
            (Error::NoRecipients, 409, "no_recipients"),
            (Error::StartLimit { retry_after: Duration::from_millis(1_001) }, 429, "start_limit"),
            (Error::InvalidCursor, 400, "invalid_cursor"),
            (Error::JobNotDead, 409, "job_not_dead"),
            (Error::JobSettled("replay the delivery"), 409, "job_settled"),
            (Error::OutboundHeld(PausedBy::Workspace), 409, "outbound_held"),
            (Error::OutboundHeld(PausedBy::Store), 409, "outbound_held"),
            (
                Error::WorkspaceDeleted { restore_until: tidings_domain::time::Timestamp::EPOCH_2026 },
                410,
                "workspace_deleted",
            ),
            (Error::NotASandbox, 409, "not_a_sandbox"),
            (Error::ClockInUse, 409, "clock_in_use"),
            (Error::LastOwner, 409, "last_owner"),
            (Error::SignInRequired, 409, "sign_in_required"),
            (Error::AlreadyMember, 409, "already_exists"),
            (Error::InvitationLimit { retry_after: Duration::from_secs(9) }, 429, "invitation_limit"),
            (Error::ActorChanged, 403, "insufficient_role"),
            (Error::Unauthorized, 401, "unauthorized"),
            (Error::RoleTooLow(Role::Owner), 403, "insufficient_role"),
            (Error::ScopeTooLow(Scope::Full), 403, "insufficient_scope"),
            (Error::TooManyAttempts { retry_after: Duration::from_millis(1_001) }, 429, "too_many_attempts"),
            (Error::Busy, 503, "unavailable"),
            (Error::PreconditionFailed, 412, "precondition_failed"),
            (Error::IdempotencyRace, 503, "unavailable"),
            (store(StoreError::Unavailable("host db-7".into())), 503, "unavailable"),
            (store(StoreError::Contention), 503, "unavailable"),
            (store(StoreError::Corrupt("row 7".into())), 500, "internal"),
            (store(StoreError::OutcomeUnknown), 503, "outcome_unknown"),
        ];
        for (error, status, code) in table {
            let problem = Problem::from(error);
            assert_eq!((problem.status_code().as_u16(), problem.code().as_str()), (status, code));
        }
    }

    #[test]
    fn hides_details_of_store_errors() {
        for error in [StoreError::Unavailable("secret host".into()), StoreError::Corrupt("secret row".into())] {
            assert!(!Problem::from(error).body(None, None).contains("secret"));
        }
    }

    #[test]
    fn renders_violations_and_extensions() {
        let invalid = Error::Invalid(vec![Violation::new("/tags/0", "unknown_tag", "no such tag")]);
        let body = Problem::from(invalid).body(None, None);
        assert!(body.contains(r#""errors":[{"pointer":"/tags/0","code":"unknown_tag","message":"no such tag"}]"#));
        let existing = ContactId::from_uuid(Uuid::nil());
        let body = Problem::from(Error::ContactExists { field: "email", existing }).body(None, None);
        assert!(body.contains(&format!(r#""existing_id":"{existing}""#)));
        let flow = Dependent::new(Referrer::Flow(FlowId::from_uuid(Uuid::nil())), "Welcome".into());
        let body = Problem::from(Error::InUse(vec![flow])).body(None, None);
        assert!(
            body.contains(r#""dependents":[{"type":"flow","id":"flow_00000000000000000000000000","name":"Welcome"}]"#),
            "{body}"
        );
        let limited = Problem::from(Error::StartLimit { retry_after: Duration::from_millis(1_001) });
        assert_eq!(limited.error_response().headers().get("retry-after").unwrap(), "2");
    }
}

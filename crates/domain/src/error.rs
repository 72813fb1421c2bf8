//! Why a use case did not do what was asked.

use std::time::Duration;

use crate::access::{Role, Scope};
use crate::broadcasts::BroadcastStatus;
use crate::ids::ContactId;
use crate::pagination::Total;
use crate::ports::{CommitError, Conflict, HeldBy, StoreError};
use crate::references::Dependent;
use crate::time::Timestamp;

pub use crate::read::Violation;

/// Why a use case did not do what was asked. Nothing has changed when one is returned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The object of the request is not there, or belongs to another workspace.
    #[error("not found")]
    NotFound,
    /// Of several objects that a request names, this one is not there, or belongs to another workspace.
    #[error("{0} not found")]
    Missing(&'static str),
    /// The request is well-formed but wrong.
    #[error("the request is not valid")]
    Invalid(Vec<Violation>),
    /// The page was to begin behind a position of an order that the list no longer has, or does not have yet.
    #[error("the cursor belongs to another sort order")]
    InvalidCursor,
    /// A living contact holds this identifier.
    #[error("a contact with this {field} already exists")]
    ContactExists {
        /// `email`, `phone`, `external_id` or `address`.
        field: &'static str,
        /// The contact that holds it.
        existing: ContactId,
    },
    /// The contact was merged into another.
    #[error("the contact was merged into {into}")]
    ContactMerged {
        /// The contact that stays.
        into: ContactId,
    },
    /// Another object of the kind has this name.
    #[error("a {what} with this {field} already exists")]
    Taken {
        /// The kind of object, for people.
        what: &'static str,
        /// `name` or `key`.
        field: &'static str,
        /// The object that has it, where it is one of the workspace.
        existing: Option<String>,
    },
    /// The workspace or object is full.
    #[error("at most {most} {what}")]
    Full {
        /// What there may not be more of, for people.
        what: &'static str,
        /// How many there may be.
        most: i64,
    },
    /// Other objects name it.
    #[error("{} objects refer to it", .0.len())]
    InUse(Vec<Dependent>),
    /// Options that would go are carried by contacts, or named by other objects.
    #[error("{} contacts have an option that would be removed", contacts.rows)]
    OptionsInUse {
        /// How many contacts.
        contacts: Total,
        /// What names one of them, at most 100.
        dependents: Vec<Dependent>,
    },
    /// No channel to send on.
    #[error("the workspace has no channel to send on")]
    NoChannel,
    /// The conversation is resolved: it must be reopened first.
    #[error("the conversation is resolved")]
    ConversationResolved,
    /// The flow has no published version that may be started.
    #[error("the flow is not active")]
    FlowNotActive,
    /// The sequence takes no contacts now.
    #[error("the sequence is not active")]
    SequenceNotActive,
    /// The sequence's policy forbids to enroll the contact again; the text says why.
    #[error("the contact may not be enrolled again: {0}")]
    ReenrollmentForbidden(String),
    /// The broadcast has a status in which this cannot be done.
    #[error("the broadcast is {}", .0.as_str())]
    BroadcastStatus(BroadcastStatus),
    /// No recipient of the broadcast can get its message again.
    #[error("no recipient of the broadcast can get its message again")]
    NoRecipients,
    /// The audience differs by more than 5 % from what was expected.
    #[error("the audience has {count} contacts")]
    AudienceChanged {
        /// How many contacts it has now.
        count: i64,
    },
    /// The contact was started in this flow too often.
    #[error("the flow was started too often for this contact")]
    StartLimit {
        /// When the next start may succeed, from now.
        retry_after: Duration,
    },
    /// The job is to be done, or is being done: it was not put aside.
    #[error("the job is not a dead letter")]
    JobNotDead,
    /// What waited for the job was told that it failed; the text says what to do instead.
    #[error("the job cannot be retried: {0}")]
    JobSettled(&'static str),
    /// The workspace has as much text stored as its plan allows; the limit is in bytes.
    #[error("the workspace has {total} bytes stored, and its plan allows {limit}")]
    StorageFull {
        /// How much is stored.
        total: i64,
        /// How much the plan allows.
        limit: i64,
    },
    /// The workspace is deleted.
    #[error("the workspace is deleted")]
    WorkspaceDeleted {
        /// Until when it can be restored.
        restore_until: Timestamp,
    },
    /// Nothing leaves at present.
    #[error("outbound sending is paused")]
    OutboundHeld(HeldBy),
    /// It works in sandboxes alone.
    #[error("the workspace is not a sandbox")]
    NotASandbox,
    /// The clock of the sandbox is being moved.
    #[error("another request is moving the clock")]
    ClockInUse,
    /// The workspace would be left without an owner.
    #[error("a workspace needs at least one owner")]
    LastOwner,
    /// The address of an invitation has an account: its person signs in to accept.
    #[error("an account with this email already exists")]
    SignInRequired,
    /// The person has a place in the workspace already.
    #[error("the user is already a member")]
    AlreadyMember,
    /// Too many invitations of the workspace are open, or were accepted in vain.
    #[error("too many invitations")]
    InvitationLimit {
        /// When the next one may succeed, from now.
        retry_after: Duration,
    },
    /// Whose password it is has a place elsewhere, too, or runs the service.
    #[error("only an operator can do this")]
    NeedsOperator,
    /// Who asks is not known, or not any more.
    #[error("the credentials are wrong")]
    Unauthorized,
    /// The actor lost the permission for this while the request was at work.
    #[error("the actor's permissions changed")]
    ActorChanged,
    /// The role of who asks is not enough for this.
    #[error("this needs the role {0:?}")]
    RoleTooLow(Role),
    /// The scope of who asks is not enough for this.
    #[error("this needs the scope {0:?}")]
    ScopeTooLow(Scope),
    /// Too many log-ins failed on this account.
    #[error("too many failed attempts")]
    TooManyAttempts {
        /// When the next one is looked at, from now.
        retry_after: Duration,
    },
    /// More passwords are waiting to be checked than can be in time.
    #[error("the server is too busy")]
    Busy,
    /// `If-Match` names other versions.
    #[error("the object has another version")]
    PreconditionFailed,
    /// A request with the same idempotency key committed first: read its answer.
    #[error("answered by a request with the same idempotency key")]
    IdempotencyRace,
    /// The store did not do its part.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Error {
    /// One violation.
    pub fn invalid(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self::Invalid(vec![Violation::new(pointer, code, message)])
    }
}

impl From<CommitError> for Error {
    /// Conflicts that a use case does not answer itself.
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Store(error) => Self::Store(error),
            CommitError::Conflict(Conflict::IdempotencyKeyUsed) => Self::IdempotencyRace,
            CommitError::Conflict(Conflict::Full { what, most }) => Self::Full { what: what.words(), most },
            CommitError::Conflict(Conflict::LastOwner) => Self::LastOwner,
            CommitError::Conflict(Conflict::Standing) => Self::ActorChanged,
            CommitError::Conflict(_) => Self::Store(StoreError::Contention),
        }
    }
}

use std::time::Duration;

use crate::access::{Role, Scope};
use crate::broadcasts::BroadcastStatus;
use crate::channels::SetupFailure;
use crate::ids::{ChannelId, ContactId};
use crate::pagination::Total;
use crate::ports::{CommitError, Conflict, PausedBy, StoreError};
use crate::references::Dependent;
use crate::time::Timestamp;

pub use crate::read::Violation;

/// The error of a use case. A use case that returns one has changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The object of the request does not exist, or belongs to another workspace.
    #[error("not found")]
    NotFound,
    /// One of several objects in the request does not exist, or belongs to another workspace.
    #[error("{0} not found")]
    Missing(&'static str),
    /// The request is well-formed but invalid.
    #[error("the request is not valid")]
    Invalid(Vec<Violation>),
    /// The cursor belongs to a sort order that the list does not have any more, or not yet.
    #[error("the cursor belongs to another sort order")]
    InvalidCursor,
    /// Another contact has this identifier.
    #[error("a contact with this {field} already exists")]
    ContactExists {
        /// `email`, `phone`, `external_id` or `address`.
        field: &'static str,
        /// The contact that has it.
        existing: ContactId,
    },
    /// The contact was merged into another.
    #[error("the contact was merged into {into}")]
    ContactMerged {
        /// The survivor of the merge.
        into: ContactId,
    },
    /// Another object of this type has this name.
    #[error("a {what} with this {field} already exists")]
    Taken {
        /// Display name of the type.
        what: &'static str,
        /// `name` or `key`.
        field: &'static str,
        /// The object that has the name, if it belongs to the workspace.
        existing: Option<String>,
    },
    /// The workspace or object is full.
    #[error("at most {most} {what}")]
    Full {
        /// The counted objects, as words in a message.
        what: &'static str,
        /// The limit.
        most: i64,
    },
    /// Other objects refer to it.
    #[error("{} objects refer to it", .0.len())]
    InUse(Vec<Dependent>),
    /// Contacts or other objects use options that would be removed.
    #[error("{} contacts have an option that would be removed", contacts.rows)]
    OptionsInUse {
        /// Number of contacts.
        contacts: Total,
        /// Objects that name one of the options, at most 100.
        dependents: Vec<Dependent>,
    },
    /// There is no channel to send on.
    #[error("the workspace has no channel to send on")]
    NoChannel,
    /// The provider must call this server, and the server has no public URL.
    #[error("the server has no public URL")]
    NoPublicUrl,
    /// The provider did not set up the channel.
    #[error("the set-up of the channel failed: {}", .0.hint)]
    SetupFailed(SetupFailure),
    /// Another channel of the workspace uses the account at the provider.
    #[error("the channel {existing} uses this account")]
    AccountInUse {
        /// The channel that uses it.
        existing: ChannelId,
    },
    /// The conversation is resolved: it must be reopened first.
    #[error("the conversation is resolved")]
    ConversationResolved,
    /// The message cannot be sent again: it has another status, came from the contact, or was never rendered.
    #[error("the message cannot be sent again")]
    NotResendable,
    /// The flow is not active, so it cannot be started.
    #[error("the flow is not active")]
    FlowNotActive,
    /// The sequence is not active, so it accepts no contacts.
    #[error("the sequence is not active")]
    SequenceNotActive,
    /// The sequence's policy forbids another enrollment of the contact; the text is the reason.
    #[error("the contact may not be enrolled again: {0}")]
    ReenrollmentForbidden(String),
    /// The status of the broadcast does not allow this.
    #[error("the broadcast is {}", .0.as_str())]
    BroadcastStatus(BroadcastStatus),
    /// No recipient of the broadcast can get its message again.
    #[error("no recipient of the broadcast can get its message again")]
    NoRecipients,
    /// The size of the audience differs by more than 5 % from the expected number.
    #[error("the audience has {count} contacts")]
    AudienceChanged {
        /// Current number of contacts.
        count: i64,
    },
    /// The contact was started in this flow too often.
    #[error("the flow was started too often for this contact")]
    StartLimit {
        /// Time until the next start may succeed.
        retry_after: Duration,
    },
    /// The job is queued or running, not a dead letter.
    #[error("the job is not a dead letter")]
    JobNotDead,
    /// The failure of this job was already recorded; the text says what to do instead.
    #[error("the job cannot be retried: {0}")]
    JobSettled(&'static str),
    /// The stored text of the workspace has reached the limit of its plan, in bytes.
    #[error("the workspace has {total} bytes stored, and its plan allows {limit}")]
    StorageFull {
        /// Stored bytes.
        total: i64,
        /// The limit of the plan.
        limit: i64,
    },
    /// The workspace is deleted.
    #[error("the workspace is deleted")]
    WorkspaceDeleted {
        /// The end of the time to restore it.
        restore_until: Timestamp,
    },
    /// The file is larger than a file may be.
    #[error("a file may have at most {most} bytes")]
    MediaTooLarge {
        /// Maximum size in bytes.
        most: u64,
    },
    /// The files of the workspace would exceed the limit of its plan, in bytes.
    #[error("the workspace has files of {total} bytes, and its plan allows {limit}")]
    MediaQuota {
        /// Total size of its files.
        total: i64,
        /// The limit of the plan.
        limit: i64,
    },
    /// A message uses the file.
    #[error("a message uses the file")]
    MediaInUse,
    /// Other objects refer to the file.
    #[error("{} objects refer to the file", .0.len())]
    MediaReferredTo(Vec<Dependent>),
    /// Outbound sending is paused.
    #[error("outbound sending is paused")]
    OutboundHeld(PausedBy),
    /// This is only available in sandboxes.
    #[error("the workspace is not a sandbox")]
    NotASandbox,
    /// Another request is moving the clock of the sandbox.
    #[error("another request is moving the clock")]
    ClockInUse,
    /// The workspace would be left without an owner.
    #[error("a workspace needs at least one owner")]
    LastOwner,
    /// An account with the email of the invitation exists: the user must sign in to accept.
    #[error("an account with this email already exists")]
    SignInRequired,
    /// The user is already a member of the workspace.
    #[error("the user is already a member")]
    AlreadyMember,
    /// Too many invitations of the workspace are open, created an account lately, or were refused lately.
    #[error("too many invitations")]
    InvitationLimit {
        /// Time until the next one may succeed.
        retry_after: Duration,
    },
    /// The user with this password belongs to another workspace too, or is an operator.
    #[error("only an operator can do this")]
    NeedsOperator,
    /// The credentials of the caller are unknown or no longer valid.
    #[error("the credentials are wrong")]
    Unauthorized,
    /// The actor lost the required permission during the request.
    #[error("the actor's permissions changed")]
    ActorChanged,
    /// The caller's role is too low.
    #[error("this needs the role {0:?}")]
    RoleTooLow(Role),
    /// The caller's scope is too low.
    #[error("this needs the scope {0:?}")]
    ScopeTooLow(Scope),
    /// Too many log-ins on this account failed.
    #[error("too many failed attempts")]
    TooManyAttempts {
        /// Time until the next attempt is checked.
        retry_after: Duration,
    },
    /// Too many password checks are waiting.
    #[error("the server is too busy")]
    Busy,
    /// `If-Match` does not contain the version of the object.
    #[error("the object has another version")]
    PreconditionFailed,
    /// A request with the same idempotency key committed first: return its response.
    #[error("answered by a request with the same idempotency key")]
    IdempotencyRace,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Error {
    /// Returns the error for one violation.
    pub fn invalid(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self::Invalid(vec![Violation::new(pointer, code, message)])
    }
}

impl From<CommitError> for Error {
    /// Converts conflicts that a use case does not handle itself.
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

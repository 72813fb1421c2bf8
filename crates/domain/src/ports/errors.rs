//! Errors of stores.

use super::changes::{Counted, Object};
use crate::references::Referent;

/// A failure of the store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The store is unreachable, full or overloaded; nothing was changed. The text is for the log.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// Too many expensive queries of the workspace are running or waiting.
    #[error("too many searches of the workspace are running or waiting")]
    Crowded,
    /// The query reached its time limit.
    #[error("the query took too long")]
    TooSlow,
    /// Conflicting writes to the same rows; a retry may succeed.
    #[error("the store is busy with conflicting writes")]
    Contention,
    /// The stored data cannot be read. The text is for the log.
    #[error("the stored data is invalid: {0}")]
    Corrupt(String),
    /// A commit was sent and never answered.
    #[error("the outcome of the commit is unknown")]
    OutcomeUnknown,
}

impl StoreError {
    /// Returns the message for users. The driver's message is for the log only.
    pub fn public_message(&self) -> String {
        match self {
            Self::Unavailable(_) => "the store was unavailable".to_owned(),
            Self::Contention | Self::Crowded | Self::TooSlow | Self::Corrupt(_) | Self::OutcomeUnknown => {
                self.to_string()
            }
        }
    }
}

macro_rules! unique_keys {
    (
        [$($variant:ident = $constraint:literal on $columns:literal;)*]
        [$(
            $(#[$doc:meta])*
            $object:ident in $module:ident {
                id: $id:ident = $prefix:literal, table: $table:ident, hint: $word:literal $audience:ident,
                limit: $limit:literal $counted:literal,
                unique: [$($key:ident = $name:literal on $column:ident by $value:ident)?], $($rest:tt)*
            }
        )*]
    ) => {
        unique_keys! {
            $($variant = $constraint on $columns;)*
            $($($key = $name on concat!(
                stringify!($table), ".workspace_id, ", stringify!($table), ".", stringify!($column)
            );)?)*
        }
    };
    ($($variant:ident = $constraint:literal on $columns:expr;)*) => {
        /// The unique keys that a request can violate. PostgreSQL reports the name of the constraint, SQLite its
        /// columns.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum UniqueKey { $(#[doc = concat!("`", $constraint, "`")] $variant,)* }

        impl UniqueKey {
            /// All keys.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the name of the constraint or index, the same in both databases.
            pub fn constraint(self) -> &'static str {
                match self { $(Self::$variant => $constraint),* }
            }

            /// Returns its columns as SQLite names them.
            pub fn columns(self) -> &'static str {
                match self { $(Self::$variant => $columns),* }
            }
        }
    };
}

crate::for_each_stored!(unique_keys {
    KeyDigest = "api_keys_digest_key" on "api_keys.digest";
    ContactExternalId = "contacts_external_id_key" on "contacts.workspace_id, contacts.external_id";
    ContactEmail = "contacts_email_key" on "contacts.workspace_id, contacts.email";
    ContactPhone = "contacts_phone_key" on "contacts.workspace_id, contacts.phone";
    Identity = "contact_identities_address_key" on "contact_identities.workspace_id, contact_identities.channel_id, contact_identities.address";
    TagLink = "contact_tags_pkey" on "contact_tags.workspace_id, contact_tags.contact_id, contact_tags.tag_id";
    DefaultChannel = "channels_default_key" on "channels.workspace_id";
    ConversationPair = "conversations_contact_channel_key" on "conversations.contact_id, conversations.channel_id, conversations.workspace_id";
    InboundMessage = "messages_inbound_key" on "messages.workspace_id, messages.channel_id, messages.provider_message_id";
    ProviderEvent = "provider_events_pkey" on "provider_events.workspace_id, provider_events.channel_id, provider_events.digest";
    InboundToken = "channels_inbound_key" on "channels.inbound_digest";
    FlowVersion = "flow_versions_pkey" on "flow_versions.workspace_id, flow_versions.flow_id, flow_versions.number";
    LiveRun = "flow_runs_live_key" on "flow_runs.flow_id, flow_runs.contact_id, flow_runs.slot, flow_runs.workspace_id";
    RunCause = "flow_runs_cause_key" on "flow_runs.cause_id, flow_runs.flow_id, flow_runs.workspace_id";
    LiveEnrollment = "enrollments_live_key" on "enrollments.sequence_id, enrollments.contact_id, enrollments.workspace_id";
    EnrollmentNumber = "enrollments_number_key" on "enrollments.contact_id, enrollments.sequence_id, enrollments.number, enrollments.workspace_id";
    Delivery = "deliveries_event_webhook_key" on "deliveries.event_id, deliveries.webhook_id, deliveries.workspace_id";
    Sandbox = "workspaces_live_workspace_key" on "workspaces.live_workspace_id";
    UserEmail = "users_email_key" on "users.email";
    Member = "members_pkey" on "members.workspace_id, members.user_id";
    InvitationDigest = "invitations_digest_key" on "invitations.digest";
    InvitationEmail = "invitations_email_key" on "invitations.workspace_id, invitations.email";
    RefreshToken = "refresh_tokens_pkey" on "refresh_tokens.digest";
    LoginAttempts = "login_attempts_pkey" on "login_attempts.account";
    IdempotencyKey = "idempotency_keys_pkey" on "idempotency_keys.workspace_id, idempotency_keys.method, idempotency_keys.route, idempotency_keys.key";
});

/// A guard or key that did not hold; nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conflict {
    /// The object is deleted, or has another version than the change set expects.
    Stale(Object),
    /// A row with this key exists.
    Exists(UniqueKey),
    /// The link to remove, or the row to mark, is missing or has changed.
    NoLink,
    /// The workspace would be left without an owner.
    LastOwner,
    /// The actor lost the right to do this: a lower role, no membership, or a revoked key.
    Standing,
    /// A response is already stored under this idempotency key.
    IdempotencyKeyUsed,
    /// An object refers to the object to delete.
    InUse(Referent),
    /// The listeners of the workspace's events have changed.
    ListenersChanged,
    /// The catalog of the workspace has changed.
    CatalogChanged,
    /// Jobs of the lane are queued or claimed.
    LaneBusy,
    /// The claim expired and another worker claimed the job.
    ClaimLost,
    /// The limit is reached.
    Full {
        /// The limited objects.
        what: Counted,
        /// The limit.
        most: i64,
    },
}

/// Why a change set was not committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommitError {
    /// It conflicts with the stored data: load and decide again.
    Conflict(Conflict),
    /// The store failed.
    Store(StoreError),
}

impl From<StoreError> for CommitError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Conflict> for CommitError {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(conflict)
    }
}

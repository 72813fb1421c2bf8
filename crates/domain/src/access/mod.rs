//! Authentication and authorization: workspaces, plans, scopes, keys, users, and the [`Access`] of each use case.

mod account;
mod actor_guard;
pub mod attempts;
mod changes;
mod key;
mod language;
pub mod limiter;
mod login;
mod member;
mod proof;
mod rate_windows;
mod reset;
mod role;
mod scope;
mod service;
pub mod session;
pub mod storage_usage;
pub mod usage;
mod user;
mod user_agent;
mod workspace;

pub use account::AccountPatch;
pub use actor_guard::ActorGuardedLedger;
pub use changes::{AccessChange, AccountChange, Founding};
pub use key::{ApiKey, ApiKeyView, KeyHolder};
pub use language::Language;
pub use login::{LoginService, MOST_SESSIONS, TokenPair};
pub use member::{INVITATION_SPAN, Invitation, Member, MemberEntry, Membership, OpenInvitation, may_change};
pub(crate) use proof::NO_AUTOMATION;
pub use proof::{Access, Actor, ActorKind, MAX_DEPTH};
pub use rate_windows::RateWindowsInProcess;
pub use reset::{RESET_LIFE, ResetLink};
pub use role::Role;
pub use scope::Scope;
pub use service::{AccessService, CreatedKey, MAX_KEYS, Me, MeKey, MeUser, NewKey, NewWorkspace, WorkspaceRef};
pub use session::{Device, LiveSession, RefreshToken, Session, SessionHolder, SigningKey};
pub use user::{PasswordReset, User, UserView};
pub use user_agent::UserAgent;
pub use workspace::{
    ObjectCount, OutboundMode, Plan, Workspace, WorkspaceCounts, WorkspaceCountsView, WorkspaceDeletion,
    WorkspaceDeletionView, WorkspaceView,
};

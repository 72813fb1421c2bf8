//! Who may do what: workspaces, plans, scopes, keys, and the proof of it that every use case takes.

mod key;
pub mod limiter;
mod proof;
mod role;
mod service;
mod windows;
mod workspace;

pub use key::{ApiKey, ApiKeyView, KeyHolder};
pub use proof::{Access, Actor, ActorKind, MAX_DEPTH, Scope};
pub use role::Role;
pub use service::{AccessService, CreatedKey, Me, MeKey, NewKey, NewWorkspace, WorkspaceRef};
pub use windows::WindowsInProcess;
pub use workspace::{Plan, Workspace, WorkspaceView};

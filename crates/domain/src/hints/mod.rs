//! Hints: notices about objects that a commit changed and that none of its events names.
//!
//! A snooze, a note or a read mark has no event. Clients that show such objects receive a hint and read them again.
//! Hints are not stored and are delivered at most once. They are derived from a change set after its commit, for
//! workspaces with watchers. Hints about new entries of the request log work in the same way, without a change set. A
//! [`HintRelay`] connects watchers in other processes.

mod audience;
mod changed;
mod ledger;
mod message;
mod pending_hints;
mod relay;
mod remote_watchers;
mod watch;

pub use audience::Audience;
pub use changed::{ChangedKind, Hint, hints_of};
pub use ledger::HintingLedger;
pub use message::UnreadableMessage;
pub use relay::{BEAT, HintRelay};
pub use watch::{HintWatch, Hints};

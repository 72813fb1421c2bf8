//! Hints: which objects a commit changed that none of its events names.
//!
//! A snooze, a note or a mark that something was read has no event: nothing follows from it, and it is not kept as one.
//! Whoever shows such objects is told that they changed, and reads them again. Hints are not stored and come once: they are
//! made of a change set when it was committed, for those workspaces of which somebody watches. That the log of requests has
//! new ones is told in the same way, though no change set writes it. Who watches in another process is told by a
//! [`HintRelay`].

mod audience;
mod changed;
mod elsewhere;
mod gathered;
mod ledger;
mod message;
mod relay;
mod watch;

pub use audience::Audience;
pub use changed::{ChangedKind, Hint, hints_of};
pub use ledger::HintingLedger;
pub use message::UnreadableMessage;
pub use relay::{BEAT, HintRelay};
pub use watch::{HintWatch, Hints};

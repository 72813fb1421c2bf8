//! Sandboxes have a clock of their own, which goes ahead when it is told to: what would come due in a week is done in a
//! second, by the code that does it in a live workspace.
//!
//! The clock is the store's, and so many milliseconds more: [`Ports::in_time_of`](crate::ports::Ports::in_time_of) gives
//! the use cases of a sandbox that clock, and whatever they read, decide and write goes by it. Only the queue goes by the
//! store's: [`SandboxLedger`] writes when jobs fall due as the store's clock will tell it, and whoever moves the clock on
//! moves them, too. Live workspaces pay nothing for it: whether one is a sandbox stands in its id.

mod changes;
mod clock;
mod ledger;
mod service;
#[cfg(test)]
mod tests;

pub use changes::SandboxChange;
pub use clock::AheadClock;
pub use ledger::SandboxLedger;
pub use service::{Advance, ClockView, Goal, Progress, SandboxService};

//! Sandboxes: workspaces with a separate clock that can be moved forward. Work of a week runs in a second, by the code
//! of live workspaces.
//!
//! The clock is the clock of the store plus an offset in milliseconds.
//! [`Ports::in_time_of`](crate::ports::Ports::in_time_of) passes it to the use cases of a sandbox. Only the queue uses
//! the clock of the store: [`SandboxLedger`] converts due times, and moving the clock shifts them. Live workspaces have
//! no extra cost, because the ID marks sandboxes.

mod changes;
mod clock;
mod ledger;
mod service;
#[cfg(test)]
mod tests;

pub use changes::SandboxChange;
pub use clock::AheadClock;
pub use ledger::SandboxLedger;
pub use service::{ClockMove, ClockView, Goal, Progress, SandboxService};

//! The loops that run due work: one for each [pool](tidings_domain::ports::Pool) of jobs, one that
//! numbers events for the feed, one that adds up stored text, and one for housekeeping.
//!
//! A loop claims what is due with a lease, runs it outside of any transaction, extends the leases
//! while it runs, and leaves the recording of the result to the use case, which is fenced by the
//! claim's token: a worker that was too slow changes nothing. What is committed in the same process is
//! handed over as claimed, or wakes the loops at once ([`WakingLedger`]); polling is the net for what other
//! processes commit.

mod engine;
mod housekeeping;
mod local_handoff;
mod measuring;
mod perform;
mod pool;
mod pulse;
mod sequencer;
mod settings;
mod slots;
#[cfg(test)]
mod testing;
mod wake;

pub use engine::{Engine, RunningEngine};
pub use perform::Perform;
pub use pulse::Pulse;
pub use settings::EngineSettings;
pub use wake::{Wake, WakingLedger};

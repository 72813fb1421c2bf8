//! The loops that run due work: one for each [pool](tidings_domain::ports::Pool) of jobs, one that numbers events for
//! the feed, one that measures stored text, and one for housekeeping.
//!
//! A loop claims due jobs with a lease, runs them outside of any transaction and extends their leases while they run.
//! The use case records the result, fenced by the claim's token: the result of a worker that lost its claim is
//! rejected. Jobs committed in this process are handed over as already claimed, or wake the loops at once
//! ([`WakingLedger`]). Polling finds the jobs that other processes commit.

mod engine;
mod heartbeat;
mod housekeeping;
mod local_handoff;
mod measuring;
mod perform;
mod pool;
mod sequencer;
mod settings;
mod slots;
#[cfg(test)]
mod testing;
mod wake;

pub use engine::{Engine, RunningEngine};
pub use heartbeat::Heartbeat;
pub use perform::Perform;
pub use settings::EngineSettings;
pub use wake::{Wake, WakingLedger};

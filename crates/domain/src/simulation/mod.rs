//! Simulation: a flow or a sequence is tried out before anybody is in it. The engine of production plays it over a
//! [store in memory](crate::memory) that is filled with what it needs of the workspace, in time that is decided and not
//! awaited. Nothing of the workspace is changed, nothing leaves, nothing is counted.
//!
//! [`SimulationService`] reads what is needed and makes a [`Rehearsal`]; [`Rehearsal::play`] asks nobody any more. It is
//! nothing but work for a processor: who has threads that must not be busy for long plays it on another one.

mod bounds;
mod caller;
mod expect;
mod findings;
mod gather;
mod ids;
mod moments;
mod play;
mod provider;
mod read;
mod recorder;
mod rehearsal;
mod script;
mod service;
#[cfg(test)]
mod tests;
mod tried;
mod view;
mod visited;
mod world;

pub use bounds::{MAX_JOBS, MAX_MOMENTS, MAX_SCRIPTS, MAX_TIME};
pub use findings::{expects_something, findings_of_failure};
pub use moments::{CallMoment, EndMoment, EntryCode, EntryMoment, Moment, NodeMoment, SaidMessage, StepMoment};
#[cfg(feature = "openapi")]
pub(crate) use read::ScriptFields;
pub use rehearsal::Rehearsal;
pub use script::{Answered, CallFailure, CannedAnswer, Entry, Expectation, MadeUpContact, Script, StartBy};
pub use service::{FlowVersionRef, SimulationRequest, SimulationService};
pub use view::{EndReason, Ended, FailedExpectation, NotVisited, Simulated, SimulatedRun, Simulation, UnusedExit};

//! Simulation: runs a flow or a sequence before any contact is in it. The production engine runs over a [store in
//! memory](crate::memory) that contains the needed workspace data, in simulated time. Nothing in the workspace
//! changes, nothing is sent, nothing is counted.
//!
//! [`SimulationService`] loads the data and creates a [`PreparedSimulation`]. [`PreparedSimulation::play`] does no I/O, only CPU work:
//! async callers should run it on a thread that may block.

mod bounds;
mod caller;
mod channel_plans;
mod coverage;
mod expect;
mod findings;
mod gather;
mod ids;
mod moments;
mod play;
mod prepared_simulation;
pub(crate) mod provider;
mod read;
mod recorder;
mod script;
mod service;
mod subject;
#[cfg(test)]
mod tests;
mod view;
mod world;

pub use bounds::{MAX_JOBS, MAX_MOMENTS, MAX_SCRIPTS, MAX_TIME};
pub use findings::{expects_something, findings_of_failure};
pub use moments::{CallMoment, EndMoment, EntryCode, EntryMoment, Moment, NodeMoment, SaidMessage, StepMoment};
pub use prepared_simulation::PreparedSimulation;
#[cfg(feature = "openapi")]
pub(crate) use read::ScriptFields;
pub use script::{Answered, CallFailure, CannedAnswer, Entry, Expectation, MadeUpContact, Script, StartBy};
pub use service::{FlowVersionRef, SimulationRequest, SimulationService};
pub use view::{EndReason, Ended, FailedExpectation, NotVisited, Simulated, SimulatedRun, Simulation, UnusedExit};

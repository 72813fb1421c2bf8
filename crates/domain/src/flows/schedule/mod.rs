//! Scheduled flows: when they fire, their recipients, and the starts for these.

mod active;
mod audience;
mod cron;
#[cfg(test)]
mod cron_tests;
mod fire;
mod model;
mod plan;
mod start_batches;

pub(super) use audience::is_whole;
pub use cron::{Cron, InvalidCron};
pub use fire::ScheduleExecutor;
pub use model::FlowSchedule;
pub(crate) use plan::follow;

//! Jobs in the API: their status, and the dead letters.

mod queued_job;
mod service;
#[cfg(test)]
mod tests;
mod view;

pub use queued_job::{JobStatus, QueuedJob};
pub use service::JobService;
pub use view::{JobView, SubjectView};

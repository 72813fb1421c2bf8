//! Jobs as people see them: what waits, and above all what was put aside.

mod queued_job;
mod service;
#[cfg(test)]
mod tests;
mod view;

pub use queued_job::{JobStatus, QueuedJob};
pub use service::JobService;
pub use view::{JobView, SubjectView};

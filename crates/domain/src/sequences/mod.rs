//! Sequences: timed series of steps, and the enrollments of contacts in them.

mod changes;
mod conditions;
mod decide;
mod enroll;
mod enrolling;
mod enrollment;
mod execute;
mod in_flows;
mod model;
mod react;
mod review;
#[cfg(feature = "openapi")]
mod schema;
mod service;
mod start;
mod steps;
#[cfg(test)]
mod tests;
mod view;

pub use changes::SequenceChange;
pub use conditions::ExitConditions;
pub use decide::{Decision, Person, Refusal, decide, may_enroll, next_step};
pub use enroll::{add_enrollment, add_exit};
pub use enrolling::EnrollmentService;
pub(crate) use enrolling::zone_of;
pub use enrollment::{Enrollment, EnrollmentError, EnrollmentFilter, EnrollmentStatus, ExitReason, StepRecord};
pub use execute::EnrollmentExecutor;
pub use in_flows::FlowEnrollments;
pub use model::{ExitOn, NewSequence, Reenroll, Sequence, SequencePatch, SequenceStatus, SequenceZone};
pub use react::SequenceExits;
pub use review::SequenceReviewer;
pub use service::SequenceService;
pub use steps::{MAX_STEPS, Step, StepAction, parse_steps, stored_steps};
pub use view::{EnrollmentErrorView, EnrollmentView, ReenrollView, SequenceView, StepRecordView, StepView};

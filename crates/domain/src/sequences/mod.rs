//! Sequences: timed series of steps, and the enrollments of contacts in them.

mod changes;
mod conditions;
mod decide;
mod enroll;
mod enrollment;
mod enrollment_service;
mod execute;
mod exits;
mod flow_enrollments;
mod model;
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
pub use enrollment::{Enrollment, EnrollmentError, EnrollmentFilter, EnrollmentStatus, ExitReason, StepRecord};
pub use enrollment_service::EnrollmentService;
pub(crate) use enrollment_service::zone_of;
pub use execute::EnrollmentExecutor;
pub use exits::SequenceExits;
pub use flow_enrollments::FlowEnrollments;
pub use model::{ExitOn, NewSequence, Reenroll, Sequence, SequencePatch, SequenceStatus, SequenceZone};
pub use review::SequenceReviewer;
pub use service::SequenceService;
pub use steps::{MAX_STEPS, Step, StepAction, parse_steps, stored_steps};
pub use view::{EnrollmentErrorView, EnrollmentView, ReenrollView, SequenceView, StepRecordView, StepView};

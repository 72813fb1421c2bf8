//! Follow-up jobs of dead letters that must not stay half done.

use std::time::Duration;

use crate::ids::{JobId, TypedId};
use crate::ports::{Job, NewJob, Ports};

/// The delay of a follow-up. Until then an operator can see the dead letter. Jobs behind it in its lane wait as long.
const REST: Duration = Duration::from_secs(3_600);

/// Returns the same job as a new one, due after a delay, for a job that is dead-lettered.
pub(crate) fn follow_up_job(job: Job, ports: &Ports) -> NewJob {
    NewJob::new(JobId::from_uuid(ports.ids.next()), job, ports.clock.now().plus(REST))
}

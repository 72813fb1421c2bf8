//! What must not stay half done is done by another job, though the first one was put aside.

use std::time::Duration;

use crate::ids::{JobId, TypedId};
use crate::ports::{Job, NewJob, Ports};

/// How long it rests: whoever looks after the store has seen by then what lies aside. In its lane others wait as long.
const REST: Duration = Duration::from_secs(3_600);

/// The job that comes for one that was put aside: the same, after a rest.
pub(crate) fn again(job: Job, ports: &Ports) -> NewJob {
    NewJob::new(JobId::from_uuid(ports.ids.next()), job, ports.clock.now().plus(REST))
}

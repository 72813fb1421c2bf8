//! Enrolling a contact and ending an enrollment, as pure additions to any change set, such as the one of a flow's node
//! or an API call.

use super::decide::due_at;
use super::{
    Enrollment, EnrollmentStatus, EnrollmentView, ExitReason, Person, Refusal, Sequence, SequenceStatus, Step,
    may_enroll, next_step,
};
use crate::access::Access;
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{EnrollmentId, JobId, TypedId};
use crate::outcome::Done;
use crate::ports::{Change, ChangeSet, Clock, Guard, Ids, Job, NewJob, Object, Row};
use crate::time::Timestamp;

/// Adds an enrollment to a change set: the row, its first job and `sequence.enrolled`. `last` is the contact's newest
/// enrollment in the sequence. If it is live, it is returned and nothing is added. Of two concurrent enrollments one
/// commits, and the retry of the other finds it as `last`.
///
/// # Errors
/// [`Error::SequenceNotActive`], [`Error::ReenrollmentForbidden`]. Nothing is added then.
pub fn add_enrollment(
    set: &mut ChangeSet,
    sequence: &Sequence,
    person: &Person<'_>,
    last: Option<&Enrollment>,
    access: &Access,
    clock: &dyn Clock,
    ids: &dyn Ids,
) -> Result<Done<Enrollment>, Error> {
    if let Some(live) = last.filter(|last| last.status.is_live()) {
        return Ok(Done::unchanged(live.clone()));
    }
    if sequence.status != SequenceStatus::Active || sequence.is_over() {
        return Err(Error::SequenceNotActive);
    }
    let now = clock.now();
    may_enroll(&sequence.reenroll, last, now).map_err(|refusal| {
        Error::ReenrollmentForbidden(match refusal {
            Refusal::Never => "a contact can be enrolled in this sequence only once".to_owned(),
            Refusal::NotCompleted => "the contact left this sequence before it was completed".to_owned(),
            Refusal::TooEarly(left) => {
                format!("the contact may be enrolled again in {} seconds", left.as_secs().max(1))
            }
        })
    })?;
    let id = EnrollmentId::from_uuid(ids.next());
    let mut enrollment = Enrollment {
        number: last.map_or(0, |last| last.number) + 1,
        ..Enrollment::new(id, sequence, person.contact.id, access.actor().clone(), now)
    };
    set.guard(Guard::Live(Object::Contact(person.contact.id)));
    set.guard(Guard::Version(Object::Sequence(sequence.id), sequence.version));
    plan(set, &mut enrollment, sequence, person, clock, ids);
    set.change(Change::Insert(Row::Enrollment(Box::new(enrollment.clone()))));
    let event = EventDraft::new(EventKind::SequenceEnrolled, &EnrollmentView::from(&enrollment));
    set.tell(event.about(enrollment.contact), access, clock, ids);
    Ok(Done::created(enrollment))
}

/// Adds the early end of a live enrollment and its `sequence.completed` to a change set. Returns the ended enrollment.
pub fn add_exit(
    set: &mut ChangeSet,
    enrollment: &Enrollment,
    reason: ExitReason,
    access: &Access,
    clock: &dyn Clock,
    ids: &dyn Ids,
) -> Enrollment {
    let mut enrollment = enrollment.clone();
    let status = if reason == ExitReason::Failed { EnrollmentStatus::Failed } else { EnrollmentStatus::Exited };
    enrollment.end(status, Some(reason), clock.now());
    set.change(Change::Update(Row::Enrollment(Box::new(enrollment.clone()))));
    tell_end(set, &enrollment, access, clock, ids);
    enrollment
}

/// Adds the event that an enrollment ended, early or not.
pub(super) fn tell_end(
    set: &mut ChangeSet,
    enrollment: &Enrollment,
    access: &Access,
    clock: &dyn Clock,
    ids: &dyn Ids,
) {
    let view = EnrollmentView::from(enrollment);
    let event = EventDraft::new(EventKind::SequenceCompleted, &view);
    set.tell(event.about(enrollment.contact), access, clock, ids);
}

/// Plans the next step of an active enrollment: sets the step and its time, and adds the job for it. If no step is
/// left, the job is due now and completes the enrollment.
pub(super) fn plan(
    set: &mut ChangeSet,
    enrollment: &mut Enrollment,
    sequence: &Sequence,
    person: &Person<'_>,
    clock: &dyn Clock,
    ids: &dyn Ids,
) {
    let now = clock.now();
    let step = next_step(&sequence.steps, enrollment);
    let due = step.map_or(now, |step| due_at(step, sequence, enrollment, person, now));
    plan_at(set, enrollment, sequence, (step, due), ids);
}

/// Same as [`plan`], with a given time.
pub(super) fn plan_at(
    set: &mut ChangeSet,
    enrollment: &mut Enrollment,
    sequence: &Sequence,
    (step, due): (Option<&Step>, Timestamp),
    ids: &dyn Ids,
) {
    enrollment.step = step.map(|step| step.id.clone());
    enrollment.next_run_at = Some(due);
    enrollment.revision = sequence.revision;
    let step = Job::StepEnrollment { enrollment: enrollment.id, visit: enrollment.visit };
    set.jobs.push(NewJob::new(JobId::from_uuid(ids.next()), step, due));
}

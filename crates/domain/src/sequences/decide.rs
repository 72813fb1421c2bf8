//! What an enrollment does when it is looked at: pure.

use std::time::Duration;

use chrono_tz::Tz;

use super::{Enrollment, EnrollmentStatus, ExitOn, ExitReason, Reenroll, Sequence, Step};
use crate::contacts::Contact;
use crate::send_window::after;
use crate::time::Timestamp;

/// Who is enrolled, and the clock of the workspace.
#[derive(Debug, Clone, Copy)]
pub struct Person<'a> {
    /// The contact.
    pub contact: &'a Contact,
    /// The zone of contacts that have none.
    pub workspace_zone: Tz,
    /// Whether the sequence's own condition for leaving holds.
    pub exit_when_holds: bool,
}

/// What an enrollment does now.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision<'a> {
    /// It takes this step.
    Run(&'a Step),
    /// It waits.
    Wait {
        /// For this step.
        step: &'a Step,
        /// Until this instant.
        until: Timestamp,
    },
    /// It waits until the sequence is active again.
    Hold,
    /// Nothing is left to be done.
    Complete,
    /// It leaves early.
    Exit(ExitReason),
}

/// The step that comes next: the first one that was not taken behind the last one that was, in
/// today's order.
pub fn next_step<'a>(steps: &'a [Step], enrollment: &Enrollment) -> Option<&'a Step> {
    let passed = steps.iter().rposition(|step| enrollment.has_passed(&step.id));
    let behind = passed.map_or(0, |place| place + 1);
    steps.get(behind..)?.first()
}

/// When a step is due: its delay after the step before, moved forward to what its window allows,
/// and never in the past, so that what was missed is made up for in its window, too. Days of the delay are days of the calendar.
pub fn due_at(
    step: &Step,
    sequence: &Sequence,
    enrollment: &Enrollment,
    person: &Person<'_>,
    now: Timestamp,
) -> Timestamp {
    let zone = zone_of_step(step, sequence, person);
    opening(step, after(enrollment.since(), step.delay, zone).max(now), zone)
}

/// Whose clock a step goes by.
fn zone_of_step(step: &Step, sequence: &Sequence, person: &Person<'_>) -> Tz {
    let zone = step.zone.unwrap_or_else(|| sequence.time_zone.zone());
    zone.of(person.contact.time_zone.as_ref(), person.workspace_zone)
}

/// The first instant, at or after this one, that the window of a step allows.
fn opening(step: &Step, at: Timestamp, zone: Tz) -> Timestamp {
    step.window.as_ref().map_or(at, |window| window.next_allowed(at, zone))
}

/// The instant at which the next step is due by an earlier plan, which stays as long as the sequence does not change.
fn planned(step: &Step, sequence: &Sequence, enrollment: &Enrollment) -> Option<Timestamp> {
    let is_same = enrollment.step.as_ref() == Some(&step.id) && enrollment.revision == sequence.revision;
    enrollment.next_run_at.filter(|_| is_same)
}

/// What an active enrollment does at `now`.
pub fn decide<'a>(
    sequence: &'a Sequence,
    enrollment: &Enrollment,
    person: &Person<'_>,
    now: Timestamp,
) -> Decision<'a> {
    if person.contact.deleted_at.is_some() {
        return Decision::Exit(ExitReason::ContactDeleted);
    }
    if sequence.is_over() {
        return Decision::Exit(ExitReason::SequenceArchived);
    }
    if !person.contact.subscribed && sequence.exit_on.contains(&ExitOn::Unsubscribe) {
        return Decision::Exit(ExitReason::Unsubscribed);
    }
    if person.exit_when_holds {
        return Decision::Exit(ExitReason::Condition);
    }
    if sequence.status != super::SequenceStatus::Active {
        return Decision::Hold;
    }
    let Some(step) = next_step(&sequence.steps, enrollment) else { return Decision::Complete };
    let due = match planned(step, sequence, enrollment) {
        Some(at) => opening(step, at.max(now), zone_of_step(step, sequence, person)),
        None => due_at(step, sequence, enrollment, person, now),
    };
    match due {
        until if until > now => Decision::Wait { step, until },
        _ => Decision::Run(step),
    }
}

/// Why a contact may not be enrolled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// A contact is enrolled in this sequence once.
    Never,
    /// It did not go through all steps.
    NotCompleted,
    /// So much time must still go by.
    TooEarly(Duration),
}

/// Whether a contact whose last enrollment is `last` may be enrolled at `now`; one that is still
/// going on is for the caller to answer.
///
/// # Errors
/// Why not.
pub fn may_enroll(policy: &Reenroll, last: Option<&Enrollment>, now: Timestamp) -> Result<(), Refusal> {
    let Some(last) = last else { return Ok(()) };
    match policy {
        Reenroll::Always => Ok(()),
        Reenroll::Never => Err(Refusal::Never),
        Reenroll::AfterCompletion if last.status == EnrollmentStatus::Completed => Ok(()),
        Reenroll::AfterCompletion => Err(Refusal::NotCompleted),
        Reenroll::After(duration, _) => {
            let again = last.ended_at.unwrap_or(last.updated_at).plus(duration.get());
            if now >= again { Ok(()) } else { Err(Refusal::TooEarly(again.since(now))) }
        }
    }
}

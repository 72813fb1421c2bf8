//! Decisions about enrollments, as pure functions.

use std::time::Duration;

use chrono_tz::Tz;

use super::{Enrollment, EnrollmentStatus, ExitOn, ExitReason, Reenroll, Sequence, Step};
use crate::contacts::Contact;
use crate::send_window::after;
use crate::time::Timestamp;

/// The enrolled contact, with the context of the decision.
#[derive(Debug, Clone, Copy)]
pub struct Person<'a> {
    /// The contact.
    pub contact: &'a Contact,
    /// The time zone of contacts without one.
    pub workspace_zone: Tz,
    /// Whether the sequence's exit condition matches.
    pub exit_when_holds: bool,
}

/// The next action of an enrollment.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision<'a> {
    /// Run this step.
    Run(&'a Step),
    /// Wait.
    Wait {
        /// The next step.
        step: &'a Step,
        /// When it is due.
        until: Timestamp,
    },
    /// Wait until the sequence is active again.
    Hold,
    /// Complete the enrollment: no step is left.
    Complete,
    /// End the enrollment early.
    Exit(ExitReason),
}

/// Returns the first step after the last one that ran, in the current order of steps.
pub fn next_step<'a>(steps: &'a [Step], enrollment: &Enrollment) -> Option<&'a Step> {
    let passed = steps.iter().rposition(|step| enrollment.has_passed(&step.id));
    let behind = passed.map_or(0, |place| place + 1);
    steps.get(behind..)?.first()
}

/// Returns when a step is due: its delay after the previous step, moved forward to the next time that its window
/// allows. The time is never in the past, so an overdue step also waits for its window. Days of the delay are calendar
/// days.
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

fn zone_of_step(step: &Step, sequence: &Sequence, person: &Person<'_>) -> Tz {
    let zone = step.zone.unwrap_or_else(|| sequence.time_zone.zone());
    zone.of(person.contact.time_zone.as_ref(), person.workspace_zone)
}

/// The first instant at or after `at` that the step's window allows.
fn opening(step: &Step, at: Timestamp, zone: Tz) -> Timestamp {
    step.window.as_ref().map_or(at, |window| window.next_allowed(at, zone))
}

/// The time of an earlier plan for this step, which remains valid until the sequence changes.
fn planned(step: &Step, sequence: &Sequence, enrollment: &Enrollment) -> Option<Timestamp> {
    let is_same = enrollment.step.as_ref() == Some(&step.id) && enrollment.revision == sequence.revision;
    enrollment.next_run_at.filter(|_| is_same)
}

/// Decides on the next action of an active enrollment at `now`.
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

/// Why a contact cannot be enrolled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Contacts can be enrolled only once.
    Never,
    /// The last enrollment was not completed.
    NotCompleted,
    /// This much time must still pass.
    TooEarly(Duration),
}

/// Whether a contact can be enrolled at `now`, given its last enrollment. The caller handles a live one.
///
/// # Errors
/// The reason of the refusal.
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

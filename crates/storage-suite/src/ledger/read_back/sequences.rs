//! Samples of sequences and enrollments.

use tidings_domain::ports::{Change, Row, SequenceChange};
use tidings_domain::sequences::{Enrollment, EnrollmentStatus, ExitReason, Sequence, SequenceStatus};

use super::sample::{Does, Maker, Sample, maker, row_makers, unique};
use crate::fixtures::{World, a_sequence, an_enrollment, at};

pub(super) fn samples() -> Vec<Maker> {
    let mut samples = [row_makers(sequence), row_makers(enrollment)].into_iter().flatten().collect::<Vec<_>>();
    samples.extend([maker(exit_enrollments)]);
    samples
}

async fn sequence(world: World, does: Does) -> Sample {
    let sequence = a_sequence();
    let own = sequence.id;
    let change = |it: &mut Sequence| {
        (it.name, it.status, it.revision) = (unique(), SequenceStatus::Paused, 2);
        (it.updated_at, it.version) = (at(9), 2);
    };
    let read = async move |w: &World| w.ports.sequences.get(&w.access, own).await.unwrap();
    does.row(&world, |it| Row::Sequence(Box::new(it)), sequence, change, read).await
}

async fn enrollment(world: World, does: Does) -> Sample {
    let enrollment = an_enrollment(&world.sequence().await, &world.contact().await);
    let own = enrollment.id;
    let change = |it: &mut Enrollment| {
        (it.status, it.next_run_at, it.visit) = (EnrollmentStatus::Paused, None, 1);
        (it.updated_at, it.version) = (at(9), 2);
    };
    let read = async move |w: &World| w.ports.sequences.enrollment(&w.access, own).await.unwrap();
    does.row(&world, |it| Row::Enrollment(Box::new(it)), enrollment, change, read).await
}

async fn exit_enrollments(world: World) -> Sample {
    let contact = world.contact().await;
    let own = world.enrollment(&world.sequence().await, &contact).await.id;
    let reason = ExitReason::Manual;
    let change = Change::Sequence(SequenceChange::ExitEnrollments { contact: contact.id, reason, at: at(9) });
    Sample::new(&world, change, (EnrollmentStatus::Exited, Some(reason), Some(at(9))), async move |w| {
        let found = w.ports.sequences.enrollment(&w.access, own).await.unwrap().unwrap();
        (found.status, found.exit_reason, found.ended_at)
    })
}

//! `/contacts/{id}/sequences` and `/sequences/{id}/enrollments`: contacts in sequences.

use tidings_domain::contacts::ContactRef;
use tidings_domain::outcome::Done;
use tidings_domain::read::word;
use tidings_domain::sequences::{Enrollment, EnrollmentStatus, EnrollmentView};

use crate::answer::Answer;
use crate::paging::{List, PageParams};
use crate::path::{CONTACT, SEQUENCE};
use crate::problem::Problem;
use crate::query::parameters;
use crate::request::Cx;

parameters! {
    /// The filters; all must hold.
    struct EnrollmentFilters {
        /// With this status.
        one status: EnrollmentStatus = word(EnrollmentStatus::WORDS, EnrollmentStatus::parse);
    }
}

/// Lists the enrollments of a sequence.
///
/// Of all contacts, those that have ended among them.
#[utoipa::path(get, path = "/api/v1/sequences/{id}/enrollments", tag = "Sequences",
    params(EnrollmentFilters, PageParams),
    responses((status = 200, description = "A page of enrollments.", body = List<EnrollmentView>)))]
pub async fn of_sequence(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>()?;
    let EnrollmentFilters { status } = query.read();
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().enrollments.of_sequence(cx.access(), cx.named(&SEQUENCE)?, status, paging.request).await?;
    Ok(cx.page(&paging, page, |enrollment| EnrollmentView::from(enrollment)))
}

/// Lists the enrollments of a contact.
///
/// Of all sequences, those that have ended among them.
#[utoipa::path(get, path = "/api/v1/contacts/{id}/sequences", tag = "Sequences",
    params(EnrollmentFilters, PageParams),
    responses((status = 200, description = "A page of enrollments.", body = List<EnrollmentView>)))]
pub async fn of_contact(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>()?;
    let EnrollmentFilters { status } = query.read();
    query.finish().map_err(Problem::validation)?;
    let contact = contact(&cx)?;
    let page = cx.services().enrollments.of_contact(cx.access(), &contact, status, paging.request).await?;
    Ok(cx.page(&paging, page, |enrollment| EnrollmentView::from(enrollment)))
}

/// Shows the newest enrollment of a contact in a sequence.
///
/// With the step that is next, and when it is due.
#[utoipa::path(get, path = "/api/v1/contacts/{id}/sequences/{sequence_id}", tag = "Sequences", responses((status = 200, description = "The enrollment.", body = EnrollmentView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.named(&SEQUENCE)?);
    Ok(show(&cx.services().enrollments.newest(cx.access(), &contact, sequence).await?))
}

/// Enrolls a contact in a sequence.
///
/// While the contact is in it, that enrollment is the answer.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/sequences/{sequence_id}", tag = "Sequences", responses(
    (status = 201, description = "The enrollment that began.", body = EnrollmentView),
    (status = 200, description = "The enrollment that is under way already.", body = EnrollmentView),
    (status = 409, description = "`sequence_not_active`: the sequence takes no contacts now. `reenrollment_forbidden`: the contact was in it, and `reenroll` does not let it come again.")))]
pub async fn enroll(cx: Cx) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.named(&SEQUENCE)?);
    let render = |done: &Done<Enrollment>| {
        let it = &done.value;
        show(it).outcome(done.outcome).located(format!("/api/v1/contacts/{}/sequences/{}", it.contact, it.sequence))
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().enrollments.enroll(cx.access(), &contact, sequence, idempotency).await
    })
    .await
}

/// Takes a contact out of a sequence.
///
/// None of its further steps is taken.
#[utoipa::path(delete, path = "/api/v1/contacts/{id}/sequences/{sequence_id}", tag = "Sequences", responses((status = 204, description = "The contact is no longer in it.")))]
pub async fn exit(cx: Cx) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.named(&SEQUENCE)?);
    cx.services().enrollments.exit(cx.access(), &contact, sequence).await?;
    Ok(Answer::no_content())
}

/// Pauses an enrollment.
///
/// It takes no step until it is resumed.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/sequences/{sequence_id}/pause", tag = "Sequences", responses((status = 200, description = "The enrollment, paused.", body = EnrollmentView)))]
pub async fn pause(cx: Cx) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.named(&SEQUENCE)?);
    let render = |done: &Done<Enrollment>| show(&done.value);
    cx.run_idempotent(render, async |idempotency| {
        cx.services().enrollments.pause(cx.access(), &contact, sequence, idempotency).await
    })
    .await
}

/// Resumes a paused enrollment.
///
/// Delays count as if it had never been paused; what is overdue is due at once, in its window.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/sequences/{sequence_id}/resume", tag = "Sequences", responses((status = 200, description = "The enrollment, going on.", body = EnrollmentView)))]
pub async fn resume(cx: Cx) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.named(&SEQUENCE)?);
    let render = |done: &Done<Enrollment>| show(&done.value);
    cx.run_idempotent(render, async |idempotency| {
        cx.services().enrollments.resume(cx.access(), &contact, sequence, idempotency).await
    })
    .await
}

fn contact(cx: &Cx) -> Result<ContactRef, Problem> {
    cx.named(&CONTACT)
}

fn show(enrollment: &Enrollment) -> Answer {
    Answer::object(&EnrollmentView::from(enrollment), enrollment.version)
}

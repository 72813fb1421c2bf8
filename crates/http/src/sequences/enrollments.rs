//! `/contacts/{id}/sequences` and `/sequences/{id}/enrollments`: contacts in sequences.

use tidings_domain::contacts::ContactRef;
use tidings_domain::outcome::Done;
use tidings_domain::read::word;
use tidings_domain::sequences::{Enrollment, EnrollmentStatus, EnrollmentView};

use crate::request::RequestContext;
use crate::request::paging::{List, PageParams};
use crate::request::path::{CONTACT, SEQUENCE};
use crate::request::query::parameters;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

parameters! {
    struct EnrollmentFilters {
        /// Only enrollments with this status.
        one status: EnrollmentStatus = word(EnrollmentStatus::WORDS, EnrollmentStatus::parse);
    }
}

/// List the enrollments of a sequence.
///
/// Includes all contacts and ended enrollments.
#[utoipa::path(get, path = "/api/v1/sequences/{id}/enrollments", tag = "Sequences",
    params(EnrollmentFilters, PageParams),
    responses((status = 200, description = "A page of enrollments.", body = List<EnrollmentView>)))]
pub async fn of_sequence(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>();
    let EnrollmentFilters { status } = query.read();
    query.finish()?;
    let page = cx
        .services()
        .enrollments
        .of_sequence(cx.access(), cx.path_parameter(&SEQUENCE)?, status, paging.request)
        .await?;
    Ok(cx.page(&paging, page, |enrollment| EnrollmentView::from(enrollment)))
}

/// List the enrollments of a contact.
///
/// Includes all sequences and ended enrollments.
#[utoipa::path(get, path = "/api/v1/contacts/{id}/sequences", tag = "Sequences",
    params(EnrollmentFilters, PageParams),
    responses((status = 200, description = "A page of enrollments.", body = List<EnrollmentView>)))]
pub async fn of_contact(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>();
    let EnrollmentFilters { status } = query.read();
    query.finish()?;
    let contact = contact(&cx)?;
    let page = cx.services().enrollments.of_contact(cx.access(), &contact, status, paging.request).await?;
    Ok(cx.page(&paging, page, |enrollment| EnrollmentView::from(enrollment)))
}

/// Get an enrollment.
///
/// Returns the newest enrollment of the contact in the sequence, with its next step and due time.
#[utoipa::path(get, path = "/api/v1/contacts/{id}/sequences/{sequence_id}", tag = "Sequences", responses((status = 200, description = "The enrollment.", body = EnrollmentView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.path_parameter(&SEQUENCE)?);
    Ok(show(&cx.services().enrollments.newest(cx.access(), &contact, sequence).await?))
}

/// Enroll a contact in a sequence.
///
/// If the contact is already enrolled, the response is the existing enrollment.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/sequences/{sequence_id}", tag = "Sequences", responses(
    (status = 201, description = "The new enrollment.", body = EnrollmentView),
    (status = 200, description = "The existing enrollment.", body = EnrollmentView),
    (status = 409, description = "`sequence_not_active`: the sequence does not accept contacts. \
                                  `reenrollment_forbidden`: the contact was in it before, and `reenroll` does not \
                                  allow another enrollment.")))]
pub async fn enroll(cx: RequestContext) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.path_parameter(&SEQUENCE)?);
    let render = |done: &Done<Enrollment>| {
        let it = &done.value;
        show(it).outcome(done.outcome).located(format!("/api/v1/contacts/{}/sequences/{}", it.contact, it.sequence))
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().enrollments.enroll(cx.access(), &contact, sequence, idempotency).await
    })
    .await
}

/// Remove a contact from a sequence.
///
/// No further steps run.
#[utoipa::path(delete, path = "/api/v1/contacts/{id}/sequences/{sequence_id}", tag = "Sequences",
    responses((status = 204, description = "The contact is removed from the sequence.")))]
pub async fn exit(cx: RequestContext) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.path_parameter(&SEQUENCE)?);
    cx.services().enrollments.exit(cx.access(), &contact, sequence).await?;
    Ok(Answer::no_content())
}

/// Pause an enrollment.
///
/// No step runs until it is resumed.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/sequences/{sequence_id}/pause", tag = "Sequences", responses((status = 200, description = "The enrollment, paused.", body = EnrollmentView)))]
pub async fn pause(cx: RequestContext) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.path_parameter(&SEQUENCE)?);
    let render = |done: &Done<Enrollment>| show(&done.value);
    cx.run_idempotent(render, async |idempotency| {
        cx.services().enrollments.pause(cx.access(), &contact, sequence, idempotency).await
    })
    .await
}

/// Resume an enrollment.
///
/// Delays continue as if the enrollment had never been paused. Overdue steps are due at once, within their window.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/sequences/{sequence_id}/resume", tag = "Sequences",
    responses((status = 200, description = "The enrollment, active again.", body = EnrollmentView)))]
pub async fn resume(cx: RequestContext) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.path_parameter(&SEQUENCE)?);
    let render = |done: &Done<Enrollment>| show(&done.value);
    cx.run_idempotent(render, async |idempotency| {
        cx.services().enrollments.resume(cx.access(), &contact, sequence, idempotency).await
    })
    .await
}

fn contact(cx: &RequestContext) -> Result<ContactRef, Problem> {
    cx.path_parameter(&CONTACT)
}

fn show(enrollment: &Enrollment) -> Answer {
    Answer::object(&EnrollmentView::from(enrollment), enrollment.version)
}

//! `/contacts/{id}/sequences` and `/sequences/{id}/enrollments`: contacts in sequences.

use tidings_domain::contacts::ContactRef;
use tidings_domain::ids::SequenceId;
use tidings_domain::outcome::Done;
use tidings_domain::read::texts::word;
use tidings_domain::sequences::{Enrollment, EnrollmentStatus, EnrollmentView};
use utoipa::IntoParams;

use crate::answer::Answer;
use crate::paging::{List, PageParams};
use crate::problem::Problem;
use crate::request::Cx;
use crate::sequences::SequencePath;

/// A contact in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the parameters")]
struct EnrolledContactPath {
    /// The contact's id, or `external_id:…`, `email:…` or `phone:…`, percent-encoded.
    #[param(example = "contact_01h455vb4pex5vsknk084sn02q")]
    id: String,
}

/// A contact and a sequence in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the parameters")]
struct EnrollmentPath {
    /// The contact's id, or `external_id:…`, `email:…` or `phone:…`, percent-encoded.
    #[param(example = "contact_01h455vb4pex5vsknk084sn02q")]
    id: String,
    /// The sequence's id.
    #[param(inline)]
    sequence_id: SequenceId,
}

/// The filters; all must hold.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
struct EnrollmentFilters {
    /// With this status.
    #[param(inline)]
    status: Option<EnrollmentStatus>,
}

/// Lists the enrollments of a sequence.
#[utoipa::path(get, path = "/api/v1/sequences/{id}/enrollments", tag = "Sequences",
    params(SequencePath, EnrollmentFilters, PageParams),
    responses((status = 200, description = "A page of enrollments.", body = List<EnrollmentView>)))]
pub async fn of_sequence(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query()?;
    let status = query.one("status", word(EnrollmentStatus::WORDS, EnrollmentStatus::parse));
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().enrollments.of_sequence(cx.access(), cx.id("id")?, status, paging.request).await?;
    Ok(cx.page(&paging, page, |enrollment| EnrollmentView::from(enrollment)))
}

/// Lists the enrollments of a contact.
#[utoipa::path(get, path = "/api/v1/contacts/{id}/sequences", tag = "Sequences",
    params(EnrolledContactPath, EnrollmentFilters, PageParams),
    responses((status = 200, description = "A page of enrollments.", body = List<EnrollmentView>)))]
pub async fn of_contact(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query()?;
    let status = query.one("status", word(EnrollmentStatus::WORDS, EnrollmentStatus::parse));
    query.finish().map_err(Problem::validation)?;
    let contact = contact(&cx)?;
    let page = cx.services().enrollments.of_contact(cx.access(), &contact, status, paging.request).await?;
    Ok(cx.page(&paging, page, |enrollment| EnrollmentView::from(enrollment)))
}

/// Shows the newest enrollment of a contact in a sequence.
#[utoipa::path(get, path = "/api/v1/contacts/{id}/sequences/{sequence_id}", tag = "Sequences",
    params(EnrollmentPath), responses((status = 200, description = "The enrollment.", body = EnrollmentView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.id("sequence_id")?);
    Ok(show(&cx.services().enrollments.newest(cx.access(), &contact, sequence).await?))
}

/// Enrolls a contact in a sequence.
///
/// While the contact is in it, that enrollment is the answer.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/sequences/{sequence_id}", tag = "Sequences",
    params(EnrollmentPath), responses(
    (status = 201, description = "The enrollment that began.", body = EnrollmentView),
    (status = 200, description = "The enrollment that is under way already.", body = EnrollmentView),
    (status = 409, description = "`sequence_not_active`: the sequence takes no contacts now. `reenrollment_forbidden`: the contact was in it, and `reenroll` does not let it come again.")))]
pub async fn enroll(cx: Cx) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.id("sequence_id")?);
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
#[utoipa::path(delete, path = "/api/v1/contacts/{id}/sequences/{sequence_id}", tag = "Sequences",
    params(EnrollmentPath), responses((status = 204, description = "The contact is no longer in it.")))]
pub async fn exit(cx: Cx) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.id("sequence_id")?);
    cx.services().enrollments.exit(cx.access(), &contact, sequence).await?;
    Ok(Answer::no_content())
}

/// Pauses an enrollment.
///
/// It takes no step until it is resumed.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/sequences/{sequence_id}/pause", tag = "Sequences",
    params(EnrollmentPath), responses((status = 200, description = "The enrollment, paused.", body = EnrollmentView)))]
pub async fn pause(cx: Cx) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.id("sequence_id")?);
    let render = |done: &Done<Enrollment>| show(&done.value);
    cx.run_idempotent(render, async |idempotency| {
        cx.services().enrollments.pause(cx.access(), &contact, sequence, idempotency).await
    })
    .await
}

/// Resumes a paused enrollment.
///
/// Delays count as if it had never been paused; what is overdue is due at once, in its window.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/sequences/{sequence_id}/resume", tag = "Sequences",
    params(EnrollmentPath), responses((status = 200, description = "The enrollment, going on.", body = EnrollmentView)))]
pub async fn resume(cx: Cx) -> Result<Answer, Problem> {
    let (contact, sequence) = (contact(&cx)?, cx.id("sequence_id")?);
    let render = |done: &Done<Enrollment>| show(&done.value);
    cx.run_idempotent(render, async |idempotency| {
        cx.services().enrollments.resume(cx.access(), &contact, sequence, idempotency).await
    })
    .await
}

fn contact(cx: &Cx) -> Result<ContactRef, Problem> {
    cx.named("id", ContactRef::parse)
}

fn show(enrollment: &Enrollment) -> Answer {
    Answer::object(&EnrollmentView::from(enrollment), enrollment.version)
}

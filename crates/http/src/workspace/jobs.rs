//! `/jobs`: dead-lettered jobs.

use tidings_domain::jobs::{JobStatus, JobView, QueuedJob};
use tidings_domain::outcome::Done;
use tidings_domain::read;

use crate::request::RequestContext;
use crate::request::paging::{List, PageParams};
use crate::request::path::JOB;
use crate::request::query::parameters;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

parameters! {
    struct JobFilters {
        /// Only dead-lettered jobs are listed.
        one status: JobStatus = read::word(&["dead"], dead);
    }
}

fn dead(word: &str) -> Option<JobStatus> {
    JobStatus::parse(word).filter(|status| *status == JobStatus::Dead)
}

/// List dead-lettered jobs.
///
/// A job is dead-lettered after 12 failed attempts in about six hours. A job that ends its process five times is dead-lettered
/// without more retries. Returns the newest dead letter first.
#[utoipa::path(get, path = "/api/v1/jobs", tag = "Jobs", params(JobFilters, PageParams),
    responses((status = 200, description = "A page of jobs.", body = List<JobView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>();
    // The filter has no effect, as only this status is listed.
    let JobFilters { status } = query.read();
    debug_assert!(status.is_none_or(|status| status == JobStatus::Dead));
    query.finish()?;
    let page = cx.services().jobs.dead(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |job| JobView::of(job, None)))
}

/// Get a job.
///
/// Returns a queued, running or dead-lettered job; a finished job returns 404. Use this to follow the job of
/// `POST /webhooks/{id}/replay`.
#[utoipa::path(get, path = "/api/v1/jobs/{id}", tag = "Jobs",
    responses((status = 200, description = "The job.", body = JobView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    let (job, replay) = cx.services().jobs.get(cx.access(), cx.path_parameter(&JOB)?).await?;
    Ok(Answer::object(&JobView::of(&job, replay.as_ref()), i64::from(job.attempts) + 1))
}

/// Retry a dead-lettered job.
///
/// Queues a new job with its own ID, due at once.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/retry", tag = "Jobs", responses(
    (status = 202, description = "The new job, `queued`.", body = JobView),
    (status = 409, description = "`job_not_dead`: the job is not dead-lettered. `job_settled`: the failure of the job \
                                  was already recorded; the detail says what to do instead.")))]
pub async fn retry(cx: RequestContext) -> Result<Answer, Problem> {
    let job = cx.path_parameter(&JOB)?;
    let render = |done: &Done<QueuedJob>| {
        let location = format!("/api/v1/jobs/{}", done.value.id);
        Answer::object(&JobView::of(&done.value, None), 1).outcome(done.outcome).located(location)
    };
    cx.run_idempotent(render, async |idempotency| cx.services().jobs.retry(cx.access(), job, idempotency).await).await
}

/// Discard a dead-lettered job.
///
/// The job never runs again.
#[utoipa::path(delete, path = "/api/v1/jobs/{id}", tag = "Jobs", responses(
    (status = 204, description = "Discarded."),
    (status = 409, description = "`job_not_dead`: the job is not dead-lettered.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    cx.services().jobs.drop_dead(cx.access(), cx.path_parameter(&JOB)?).await?;
    Ok(Answer::no_content())
}

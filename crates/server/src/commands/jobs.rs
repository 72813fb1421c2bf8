//! `tidings jobs …`: dead-lettered jobs of all workspaces.

use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::Access;
use tidings_domain::ids::{JobId, WorkspaceId};
use tidings_domain::jobs::{JobView, QueuedJob};
use tidings_domain::pagination::{Order, PageRequest};

use super::{block_on, opened};
use crate::failure::Failure;
use crate::output::{Listed, print_json, print_line};
use crate::wiring::Adapters;

/// The maximum number of listed jobs of a workspace.
const MOST: u32 = 1_000;

#[derive(Serialize)]
struct DeadJob {
    workspace_id: WorkspaceId,
    #[serde(flatten)]
    job: JobView,
}

/// Lists the dead-lettered jobs by workspace, newest first.
pub(crate) fn list_dead_jobs(json: bool) -> Result<(), Failure> {
    let dead = block_on(async { dead(&opened().await?).await })?;
    if json {
        let view =
            |(workspace_id, job): &(_, QueuedJob)| DeadJob { workspace_id: *workspace_id, job: JobView::of(job, None) };
        print_json(&Listed::all(dead.iter().map(view).collect()));
        return Ok(());
    }
    for (workspace, job) in &dead {
        let view = JobView::of(job, None);
        let (error, advice) =
            (job.error.as_deref().unwrap_or_default(), job.settled_advice().map(|it| format!(" ({it})")));
        print_line(&format!(
            "{} {workspace} {} {} since {}: {error}{}",
            view.id,
            view.kind,
            view.subject.id,
            job.dead_at.unwrap_or(job.due_at),
            advice.unwrap_or_default()
        ));
    }
    if dead.is_empty() {
        eprintln!("No dead-lettered jobs.");
    }
    Ok(())
}

/// Retries a dead-lettered job.
pub(crate) fn retry_job(job: JobId, json: bool) -> Result<(), Failure> {
    let after = block_on(async {
        let adapters = opened().await?;
        let access = access_to(&adapters, job).await?;
        Ok(adapters.tidings.jobs.retry(&access, job, None).await?.value)
    })?;
    if json {
        print_json(&JobView::of(&after, None));
    } else {
        print_line(&format!("Queued as {}.", after.id));
    }
    Ok(())
}

/// Discards a dead-lettered job.
pub(crate) fn drop_job(job: JobId) -> Result<(), Failure> {
    block_on(async {
        let adapters = opened().await?;
        let access = access_to(&adapters, job).await?;
        Ok(adapters.tidings.jobs.drop_dead(&access, job).await?)
    })
}

async fn dead(adapters: &Adapters) -> Result<Vec<(WorkspaceId, QueuedJob)>, Failure> {
    let mut all = Vec::new();
    for workspace in adapters.storage.workspaces_with_dead_jobs().await.map_err(Error::from)? {
        let page = PageRequest { limit: MOST, order: Order::NewestFirst, after: None, counted: false };
        let dead = adapters.tidings.jobs.dead(&Access::system(workspace), page).await?;
        all.extend(dead.items.into_iter().map(|job| (workspace, job)));
    }
    Ok(all)
}

/// Returns access to the workspace of a dead-lettered job.
async fn access_to(adapters: &Adapters, job: JobId) -> Result<Access, Failure> {
    for workspace in adapters.storage.workspaces_with_dead_jobs().await.map_err(Error::from)? {
        let access = Access::system(workspace);
        if adapters.tidings.ports.jobs.get(&access, job).await.map_err(Error::from)?.is_some() {
            return Ok(access);
        }
    }
    Err(Error::NotFound.into())
}

//! Dead-lettered jobs, and jobs as operators see them.

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::ids::{JobId, TypedId, WorkspaceId};
use tidings_domain::jobs::{JobStatus, QueuedJob};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{Conflict, JobQueries, StoreError};

use crate::Storage;
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::connection::{Connection, counted_page, execute, find, load};
use crate::jobs::StoredJob;
use crate::queries::rows::exactly_one;
use crate::queries::types::{DbId, DbTime};
use crate::schema::jobs;

#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = jobs)]
struct ShownRow {
    id: DbId,
    #[diesel(embed)]
    job: StoredJob,
    due_at: DbTime,
    claimed: bool,
    attempts: i32,
    error: Option<String>,
    dead_at: Option<DbTime>,
}

impl ShownRow {
    fn read(self) -> Result<QueuedJob, Fault> {
        Ok(QueuedJob {
            id: self.id.to_typed_id(),
            job: self.job.read()?,
            status: match (&self.dead_at, self.claimed) {
                (Some(_), _) => JobStatus::Dead,
                (None, true) => JobStatus::Running,
                (None, false) => JobStatus::Queued,
            },
            attempts: self.attempts,
            error: self.error,
            due_at: self.due_at.0,
            dead_at: self.dead_at.map(|it| it.0),
        })
    }
}

#[async_trait]
impl JobQueries for Storage {
    async fn get(&self, access: &Access, job: JobId) -> Result<Option<QueuedJob>, StoreError> {
        let key = (DbId::from(access.workspace()), DbId::from(job));
        self.read(SYSTEM, move |mut c| {
            Box::pin(async move {
                let row: Option<ShownRow> = find!(&mut c, jobs::table.find(key).select(ShownRow::as_select()))?;
                row.map(ShownRow::read).transpose()
            })
        })
        .await
    }

    async fn dead(&self, access: &Access, page: PageRequest) -> Result<Page<QueuedJob>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<ShownRow>, _) =
                    counted_page!(&mut c, page, (jobs::dead_at.assume_not_null(), jobs::id), {
                        let query = jobs::table.filter(jobs::workspace_id.eq(ws)).filter(jobs::dead_at.is_not_null());
                        query.select(ShownRow::as_select()).into_boxed::<Db>()
                    });
                let jobs = rows.into_iter().map(ShownRow::read).collect::<Result<Vec<_>, _>>()?;
                let place = |it: &QueuedJob| Position { at: it.dead_at.unwrap_or(it.due_at), id: it.id.uuid() };
                Ok(Page::cut(jobs, page.limit, place).of_total(total))
            })
        })
        .await
    }
}

pub(crate) async fn drop_one(c: &mut Connection<'_>, ws: DbId, job: JobId) -> Result<(), Fault> {
    let target = jobs::table.find((ws, DbId::from(job))).filter(jobs::dead_at.is_not_null());
    exactly_one(execute!(c, diesel::delete(target))?, Conflict::NoLink)
}

impl Storage {
    /// Returns the workspaces that have dead-lettered jobs, at most 1,000.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn workspaces_with_dead_jobs(&self) -> Result<Vec<WorkspaceId>, StoreError> {
        self.read(SYSTEM, |mut c| {
            Box::pin(async move {
                let dead = jobs::table.filter(jobs::dead_at.is_not_null());
                let found: Vec<DbId> =
                    load!(&mut c, dead.select(jobs::workspace_id).distinct().order(jobs::workspace_id).limit(1_000))?;
                Ok(found.into_iter().map(DbId::to_typed_id).collect())
            })
        })
        .await
    }
}

//! Rows of queued and claimed jobs.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text};
use tidings_domain::ports::{ClaimedJob, ExtraIds, Job, JobColumns, JobKind, NewJob, StoreError};
use tidings_domain::time::Timestamp;

use crate::connection::faults::Fault;
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime, Id};
use crate::schema::jobs;

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct JobRow in jobs {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) pool: &'static str,
        pub(crate) kind: &'static str,
        pub(crate) subject: DbId,
        pub(crate) mark: i64,
        pub(crate) lane: Option<DbId>,
        pub(crate) group_id: Option<DbId>,
        pub(crate) further: Option<Vec<u8>>,
        pub(crate) due_at: DbTime,
        pub(crate) claimed: bool,
        pub(crate) token: i64,
        pub(crate) claims: i32,
        pub(crate) attempts: i32,
    }
}

impl JobRow {
    pub(crate) fn write(workspace_id: DbId, it: &NewJob) -> Self {
        let (claimed, columns) = (it.lease.is_some(), it.job.columns());
        Self {
            workspace_id,
            id: it.id.into(),
            pool: it.job.pool().as_str(),
            kind: it.job.kind().as_str(),
            subject: DbId(columns.subject),
            mark: columns.mark,
            lane: columns.lane.map(DbId),
            group_id: columns.group.map(DbId),
            further: columns.further.bytes(),
            // For a claimed job: the duration of its lease, as an instant relative to 1970. The insert adds the current
            // time of the lease clock.
            due_at: it.lease.map_or(it.due_at, |lease| Timestamp::from_millis(0).plus(lease)).into(),
            claimed,
            token: if claimed { NewJob::FIRST_TOKEN } else { 0 },
            claims: i32::from(claimed),
            attempts: 0,
        }
    }
}

#[derive(Debug, QueryableByName, Queryable, Selectable)]
#[diesel(table_name = jobs)]
pub(crate) struct ClaimedRow {
    #[diesel(sql_type = Id)]
    workspace_id: DbId,
    #[diesel(sql_type = Id)]
    id: DbId,
    #[diesel(embed)]
    job: StoredJob,
    #[diesel(sql_type = BigInt)]
    token: i64,
    #[diesel(sql_type = Integer)]
    attempts: i32,
}

impl ClaimedRow {
    pub(crate) fn read(self) -> Result<ClaimedJob, Fault> {
        Ok(ClaimedJob {
            id: self.id.to_typed_id(),
            workspace: self.workspace_id.to_typed_id(),
            job: self.job.read()?,
            token: self.token,
            attempts: self.attempts,
            delivery: None,
        })
    }
}

/// The columns that describe a job's work.
#[derive(Debug, QueryableByName, Queryable, Selectable)]
#[diesel(table_name = jobs)]
pub(crate) struct StoredJob {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Id)]
    subject: DbId,
    #[diesel(sql_type = BigInt)]
    mark: i64,
    #[diesel(sql_type = Nullable<Id>)]
    lane: Option<DbId>,
    #[diesel(sql_type = Nullable<Id>)]
    group_id: Option<DbId>,
    #[diesel(sql_type = Nullable<Binary>)]
    further: Option<Vec<u8>>,
}

impl StoredJob {
    pub(crate) fn read(self) -> Result<Job, Fault> {
        let kind = word(&self.kind, "job kind", JobKind::parse)?;
        let corrupt = || StoreError::Corrupt(format!("a job of the kind {}", self.kind));
        let columns = JobColumns {
            subject: self.subject.0,
            mark: self.mark,
            lane: self.lane.map(|lane| lane.0),
            group: self.group_id.map(|group| group.0),
            further: ExtraIds::read(self.further.as_deref().unwrap_or_default()).ok_or_else(corrupt)?,
        };
        Ok(Job::read(kind, columns).ok_or_else(corrupt)?)
    }
}

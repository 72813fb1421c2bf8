//! Flows, their versions, and runs.

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::{Access, Actor};
use tidings_domain::flows::{Flow, FlowStatus, FlowVersion, Run, RunStatus, Wait};
use tidings_domain::ids::{ContactId, FlowId, RunId, TypedId};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{Conflict, FlowQueries, Object, StoreError};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::Storage;
use crate::connection::{Connection, execute, find, keyset, load};
use crate::faults::Fault;
use crate::rows::{exactly_one, json, to_json, word};
use crate::schema::{flow_runs, flow_versions, flows};
use crate::types::{DbId, DbTime};

#[derive(Debug, Clone, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = flows, primary_key(workspace_id, id), treat_none_as_null = true)]
struct FlowRow {
    workspace_id: DbId,
    id: DbId,
    name: String,
    status: String,
    version_published: Option<i64>,
    has_unpublished_changes: bool,
    definition: String,
    created_at: DbTime,
    updated_at: DbTime,
    version: i64,
}

impl FlowRow {
    fn write(workspace_id: DbId, it: &Flow) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            name: it.name.clone(),
            status: it.status.as_str().to_owned(),
            version_published: it.version_published,
            has_unpublished_changes: it.has_unpublished_changes,
            definition: to_json(&it.definition)?,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }

    fn read(self) -> Result<Flow, Fault> {
        Ok(Flow {
            id: self.id.typed(),
            name: self.name,
            status: word(&self.status, "flow status", FlowStatus::parse)?,
            version_published: self.version_published,
            has_unpublished_changes: self.has_unpublished_changes,
            definition: json(&self.definition, "a flow's draft")?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[derive(Debug, Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = flow_versions)]
struct VersionRow {
    workspace_id: DbId,
    flow_id: DbId,
    number: i64,
    definition: String,
    tags: String,
    created_at: DbTime,
}

#[derive(Debug, Clone, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = flow_runs, primary_key(workspace_id, id), treat_none_as_null = true)]
struct RunRow {
    workspace_id: DbId,
    id: DbId,
    flow_id: DbId,
    flow_version: i64,
    contact_id: DbId,
    slot: DbId,
    status: String,
    node: Option<String>,
    vars: String,
    trace: String,
    wait_until: Option<DbTime>,
    visit: i64,
    nodes_visited: i64,
    started_by_kind: String,
    started_by_id: Option<String>,
    started_at: DbTime,
    ended_at: Option<DbTime>,
    error: Option<String>,
    updated_at: DbTime,
    version: i64,
}

impl RunRow {
    fn write(workspace_id: DbId, it: &Run) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            flow_id: it.flow.into(),
            flow_version: it.flow_version,
            contact_id: it.contact.into(),
            slot: DbId(it.slot),
            status: it.status.as_str().to_owned(),
            node: it.node.clone(),
            vars: to_json(&it.vars)?,
            trace: to_json(&it.trace)?,
            wait_until: it.wait.as_ref().map(|wait| wait.until.into()),
            visit: it.visit,
            nodes_visited: it.nodes_visited,
            started_by_kind: it.started_by.kind_str().to_owned(),
            started_by_id: it.started_by.id.clone(),
            started_at: it.started_at.into(),
            ended_at: it.ended_at.map(Into::into),
            error: it.error.as_ref().map(to_json).transpose()?,
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }

    fn read(self) -> Result<Run, Fault> {
        Ok(Run {
            id: self.id.typed(),
            flow: self.flow_id.typed(),
            flow_version: self.flow_version,
            contact: self.contact_id.typed(),
            slot: self.slot.0,
            status: word(&self.status, "run status", RunStatus::parse)?,
            node: self.node,
            vars: json(&self.vars, "a run's vars")?,
            trace: json(&self.trace, "a run's trace")?,
            wait: self.wait_until.map(|until| Wait { until: until.0 }),
            visit: self.visit,
            nodes_visited: self.nodes_visited,
            started_by: Actor::from_parts(&self.started_by_kind, self.started_by_id),
            started_at: self.started_at.0,
            ended_at: self.ended_at.map(|time| time.0),
            error: self.error.map(|error| json(&error, "a run's error")).transpose()?,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[async_trait]
impl FlowQueries for Storage {
    async fn get(&self, access: &Access, flow: FlowId) -> Result<Option<Flow>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(flow));
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<FlowRow> = find!(&mut c, flows::table.find((ws, id)).select(FlowRow::as_select()))?;
                row.map(FlowRow::read).transpose()
            })
        })
        .await
    }

    async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<Flow>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<FlowRow> = load!(&mut c, {
                    let query = flows::table.filter(flows::workspace_id.eq(ws)).select(FlowRow::as_select());
                    keyset!(query.into_boxed::<Db>(), page, flows::created_at, flows::id)
                })?;
                let found = rows.into_iter().map(FlowRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }))
            })
        })
        .await
    }

    async fn version(&self, access: &Access, flow: FlowId, number: i64) -> Result<Option<FlowVersion>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(flow));
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<VersionRow> =
                    find!(&mut c, flow_versions::table.find((ws, id, number)).select(VersionRow::as_select()))?;
                let Some(row) = row else { return Ok(None) };
                Ok(Some(FlowVersion {
                    flow,
                    number,
                    definition: json(&row.definition, "a flow version")?,
                    tags: json(&row.tags, "a flow version's tags")?,
                    created_at: row.created_at.0,
                }))
            })
        })
        .await
    }

    async fn run(&self, access: &Access, run: RunId) -> Result<Option<Run>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(run));
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<RunRow> = find!(&mut c, flow_runs::table.find((ws, id)).select(RunRow::as_select()))?;
                row.map(RunRow::read).transpose()
            })
        })
        .await
    }

    async fn live_run(&self, access: &Access, flow: FlowId, contact: ContactId) -> Result<Option<Run>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<RunRow> = find!(
                    &mut c,
                    flow_runs::table
                        .filter(flow_runs::workspace_id.eq(ws))
                        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
                        .filter(flow_runs::contact_id.eq(DbId::from(contact)))
                        .filter(flow_runs::slot.eq(DbId(Uuid::nil())))
                        .filter(flow_runs::ended_at.is_null())
                        .select(RunRow::as_select())
                )?;
                row.map(RunRow::read).transpose()
            })
        })
        .await
    }

    async fn recent_starts(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        limit: u32,
    ) -> Result<Vec<Timestamp>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| {
            Box::pin(async move {
                let times: Vec<DbTime> = load!(
                    &mut c,
                    flow_runs::table
                        .filter(flow_runs::workspace_id.eq(ws))
                        .filter(flow_runs::contact_id.eq(DbId::from(contact)))
                        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
                        .order(flow_runs::started_at.desc())
                        .limit(i64::from(limit))
                        .select(flow_runs::started_at)
                )?;
                Ok(times.into_iter().map(|time| time.0).collect())
            })
        })
        .await
    }
}

pub(crate) async fn insert(c: &mut Connection<'_>, ws: DbId, it: &Flow) -> Result<(), Fault> {
    let row = FlowRow::write(ws, it)?;
    execute!(c, diesel::insert_into(flows::table).values(row)).map(|_| ())
}

pub(crate) async fn update(c: &mut Connection<'_>, ws: DbId, it: &Flow) -> Result<(), Fault> {
    let row = FlowRow::write(ws, it)?;
    let target = flows::table.find((ws, DbId::from(it.id))).filter(flows::version.eq(it.version - 1));
    let rows = execute!(c, diesel::update(target).set(row))?;
    exactly_one(rows, Conflict::Stale(Object::Flow(it.id)))
}

pub(crate) async fn insert_version(c: &mut Connection<'_>, workspace_id: DbId, it: &FlowVersion) -> Result<(), Fault> {
    let row = VersionRow {
        workspace_id,
        flow_id: it.flow.into(),
        number: it.number,
        definition: to_json(&it.definition)?,
        tags: to_json(&it.tags)?,
        created_at: it.created_at.into(),
    };
    execute!(c, diesel::insert_into(flow_versions::table).values(row)).map(|_| ())
}

pub(crate) async fn insert_run(c: &mut Connection<'_>, ws: DbId, it: &Run) -> Result<(), Fault> {
    let row = RunRow::write(ws, it)?;
    execute!(c, diesel::insert_into(flow_runs::table).values(row)).map(|_| ())
}

pub(crate) async fn update_run(c: &mut Connection<'_>, ws: DbId, it: &Run) -> Result<(), Fault> {
    let row = RunRow::write(ws, it)?;
    let target = flow_runs::table.find((ws, DbId::from(it.id))).filter(flow_runs::version.eq(it.version - 1));
    let rows = execute!(c, diesel::update(target).set(row))?;
    exactly_one(rows, Conflict::Stale(Object::Run(it.id)))
}

/// Ends all live runs of a contact.
pub(crate) async fn interrupt_runs(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    at: Timestamp,
) -> Result<(), Fault> {
    let target = flow_runs::table
        .filter(flow_runs::workspace_id.eq(ws))
        .filter(flow_runs::contact_id.eq(DbId::from(contact)))
        .filter(flow_runs::ended_at.is_null());
    let changes = (
        flow_runs::status.eq(RunStatus::Interrupted.as_str()),
        flow_runs::ended_at.eq(DbTime(at)),
        flow_runs::wait_until.eq(None::<DbTime>),
        flow_runs::updated_at.eq(DbTime(at)),
        flow_runs::version.eq(flow_runs::version + 1),
    );
    execute!(c, diesel::update(target).set(changes)).map(|_| ())
}

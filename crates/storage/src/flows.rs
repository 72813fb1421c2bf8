//! Flows, their versions, and runs.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use serde_json::Value;
use tidings_domain::access::{Access, Actor};
use tidings_domain::events::EventKind;
use tidings_domain::flows::{
    ActiveTrigger, CompiledFlow, Flow, FlowStats, FlowStatus, FlowVersion, Run, RunFilter, RunStatus, Trigger, Wait,
    WaitKind,
};
use tidings_domain::ids::{ContactId, FlowId, RunId, TypedId};
use tidings_domain::pagination::{Order, Page, PageRequest, Position};
use tidings_domain::ports::{Conflict, FlowQueries, JobKind, Object, StoreError};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::Storage;
use crate::checked::Checked;
use crate::connection::{Connection, by_keys, execute, execute_any, find, listed, load, total, whole};
use crate::faults::Fault;
use crate::fixed::Fixed;
use crate::loader::Found;
use crate::rows::{exactly_one, json, to_json, word};
use crate::schema::{flow_runs, flow_triggers, flow_versions, flows, jobs};
use crate::types::{DbId, DbTime, Id, Instant};

crate::write::written! {
    FlowRow: crate::write::Shape { deleted_at: Some("IS NULL"), ..crate::write::Shape::of("flows") },
    VersionRow: crate::write::Shape::of("flow_versions"),
    RunRow: crate::write::Shape::of("flow_runs"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = flows)]
    pub(crate) struct FlowRow in flows {
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
}

/// How many runs have a status.
type Count = (String, i64);

impl FlowRow {
    pub(crate) fn write(workspace_id: DbId, it: &Flow) -> Result<Self, Fault> {
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
            stats: FlowStats::default(),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = flow_versions)]
    pub(crate) struct VersionRow in flow_versions {
        workspace_id: DbId,
        flow_id: DbId,
        number: i64,
        definition: String,
        tags: String,
        created_at: DbTime,
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = flow_runs)]
    pub(crate) struct RunRow in flow_runs {
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
        channel_id: Option<DbId>,
        wait_kind: Option<String>,
        wait_attempt: i64,
        cause_id: Option<DbId>,
        depth: i64,
        event: Option<String>,
    }
}

impl RunRow {
    pub(crate) fn write(workspace_id: DbId, it: &Run) -> Result<Self, Fault> {
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
            wait_until: it.wait.as_ref().and_then(|wait| wait.until).map(Into::into),
            visit: it.visit,
            nodes_visited: it.nodes_visited,
            started_by_kind: it.started_by.kind_str().to_owned(),
            started_by_id: it.started_by.id.clone(),
            started_at: it.started_at.into(),
            ended_at: it.ended_at.map(Into::into),
            error: it.error.as_ref().map(to_json).transpose()?,
            updated_at: it.updated_at.into(),
            version: it.version,
            channel_id: it.channel.map(Into::into),
            wait_kind: it.wait.as_ref().map(|wait| wait.kind.as_str().to_owned()),
            wait_attempt: it.wait.as_ref().map_or(0, |wait| wait.attempt),
            cause_id: it.cause.map(DbId),
            depth: it.depth,
            event: it.event.as_ref().map(to_json).transpose()?,
        })
    }

    fn read(self) -> Result<Run, Fault> {
        let wait = match &self.wait_kind {
            None => None,
            Some(kind) => Some(Wait {
                kind: word(kind, "wait", WaitKind::parse)?,
                until: self.wait_until.map(|until| until.0),
                attempt: self.wait_attempt,
            }),
        };
        Ok(Run {
            id: self.id.typed(),
            flow: self.flow_id.typed(),
            flow_version: self.flow_version,
            contact: self.contact_id.typed(),
            slot: self.slot.0,
            status: word(&self.status, "run status", RunStatus::parse)?,
            node: self.node,
            channel: self.channel_id.map(DbId::typed),
            vars: json(&self.vars, "a run's vars")?,
            trace: json(&self.trace, "a run's trace")?,
            wait,
            visit: self.visit,
            nodes_visited: self.nodes_visited,
            started_by: Actor::from_parts(&self.started_by_kind, self.started_by_id),
            cause: self.cause_id.map(|cause| cause.0),
            depth: self.depth,
            event: self.event.map(|event| json(&event, "a run's event")).transpose()?,
            started_at: self.started_at.0,
            ended_at: self.ended_at.map(|time| time.0),
            error: self.error.map(|error| json(&error, "a run's error")).transpose()?,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

impl VersionRow {
    pub(crate) fn write(workspace_id: DbId, it: &FlowVersion) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            flow_id: it.flow.into(),
            number: it.number,
            definition: to_json(&it.definition)?,
            tags: to_json(&it.tags)?,
            created_at: it.created_at.into(),
        })
    }

    fn read(self) -> Result<FlowVersion, Fault> {
        Ok(FlowVersion {
            flow: self.flow_id.typed(),
            number: self.number,
            definition: json(&self.definition, "a flow version")?,
            tags: json(&self.tags, "a flow version's tags")?,
            created_at: self.created_at.0,
        })
    }
}

/// The triggers of active flows of a kind, with one of these words, in the order of the flows' making.
async fn triggers(
    c: &mut Connection<'_>,
    workspace: DbId,
    kind: &'static str,
    word: &str,
) -> Result<Vec<ActiveTrigger>, Fault> {
    let flow = flows::workspace_id.eq(flow_triggers::workspace_id).and(flows::id.eq(flow_triggers::flow_id));
    let rows: Vec<(DbId, String)> = load!(
        c,
        flow_triggers::table
            .inner_join(flows::table.on(flow))
            .filter(flow_triggers::workspace_id.eq(workspace))
            .filter(flow_triggers::kind.eq(kind))
            .filter(flow_triggers::word.eq(word))
            .filter(flows::status.eq(FlowStatus::Active.as_str()))
            .filter(flows::deleted_at.is_null())
            .order((flows::created_at.asc(), flows::id.asc(), flow_triggers::place.asc()))
            .select((flow_triggers::flow_id, flow_triggers::definition))
    )?;
    let read = |(flow, text): (DbId, String)| {
        let written: Value = json(&text, "a trigger")?;
        let trigger = Trigger::parse(&written);
        let trigger = trigger.ok_or_else(|| StoreError::Corrupt(format!("a trigger: {text}")))?;
        Ok(ActiveTrigger { flow: flow.typed(), trigger })
    };
    rows.into_iter().map(read).collect()
}

/// The triggers of active flows by events of these workspaces and kinds.
pub(crate) fn event_triggers(
    mut c: Connection<'_>,
    keys: Vec<(DbId, EventKind)>,
) -> Found<'_, (DbId, EventKind), Vec<ActiveTrigger>> {
    Box::pin(async move {
        let mut found = HashMap::new();
        for (workspace, kind) in keys {
            found.insert((workspace, kind), triggers(&mut c, workspace, "event", kind.as_str()).await?);
        }
        Ok(found)
    })
}

/// As the index of runs that await a reply says it.
const AWAITING: &str = "flow_runs.wait_kind = 'reply'";
/// A flow among all workspaces'.
pub type FlowKey = (Uuid, Uuid);

impl Storage {
    /// The published definitions of flows that are not deleted, in the order of their keys, from behind one
    /// of them: for operators, who look at all workspaces.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn published_definitions(
        &self,
        after: Option<FlowKey>,
        most: u16,
    ) -> Result<Vec<(FlowKey, Value)>, StoreError> {
        let (ws, id) = after.unwrap_or_default();
        let (ws, id) = (DbId(ws), DbId(id));
        self.read(move |mut c| {
            Box::pin(async move {
                let of_flow =
                    flow_versions::workspace_id.eq(flows::workspace_id).and(flow_versions::flow_id.eq(flows::id));
                let published = of_flow.and(flow_versions::number.nullable().eq(flows::version_published));
                let rows: Vec<(DbId, DbId, String)> = load!(
                    &mut c,
                    flows::table
                        .inner_join(flow_versions::table.on(published))
                        .filter(flows::deleted_at.is_null())
                        .filter(flows::workspace_id.ge(ws))
                        .filter(flows::workspace_id.gt(ws).or(flows::id.gt(id)))
                        .order((flows::workspace_id, flows::id))
                        .limit(i64::from(most))
                        .select((flows::workspace_id, flows::id, flow_versions::definition))
                )?;
                rows.into_iter().map(|(ws, id, text)| Ok(((ws.0, id.0), json(&text, "a flow's version")?))).collect()
            })
        })
        .await
    }
}

#[async_trait]
impl FlowQueries for Storage {
    async fn get(&self, access: &Access, flow: FlowId) -> Result<Option<Flow>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(flow));
        self.read(move |mut c| {
            Box::pin(async move {
                let there = flows::table.find((ws, id)).filter(flows::deleted_at.is_null());
                let row: Option<FlowRow> = find!(&mut c, there.select(FlowRow::as_select()))?;
                row.map(FlowRow::read).transpose()
            })
        })
        .await
    }

    async fn stats(&self, access: &Access, flow: FlowId) -> Result<FlowStats, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(flow));
        self.read(move |mut c| {
            Box::pin(async move {
                let of_flow =
                    flow_runs::table.filter(flow_runs::workspace_id.checked(ws)).filter(flow_runs::flow_id.eq(id));
                let counts: Vec<Count> = load!(
                    &mut c,
                    whole!(of_flow, flow_runs::updated_at)
                        .group_by(flow_runs::status)
                        .select((flow_runs::status, diesel::dsl::count_star()))
                )?;
                let mut stats = FlowStats::default();
                for (status, count) in counts {
                    *stats.of(word(&status, "run status", RunStatus::parse)?) = count;
                }
                Ok(stats)
            })
        })
        .await
    }

    async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<Flow>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<FlowRow>, _) = listed!(&mut c, page, (flows::created_at, flows::id), {
                    let query = flows::table.filter(flows::workspace_id.eq(ws)).filter(flows::deleted_at.is_null());
                    let query = query.select(FlowRow::as_select());
                    whole!(query, flows::updated_at).into_boxed::<Db>()
                });
                let found = rows.into_iter().map(FlowRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }

    async fn present(&self, access: &Access, wanted: &[FlowId]) -> Result<Vec<FlowId>, StoreError> {
        let (ws, wanted): (_, Vec<DbId>) =
            (DbId::from(access.workspace()), wanted.iter().map(|id| (*id).into()).collect());
        self.read(move |mut c| {
            Box::pin(async move {
                let keys: Vec<_> = wanted.into_iter().map(|id| (ws, id)).collect();
                let query = flows::table.select((flows::id, flows::deleted_at));
                let found: Vec<(DbId, Option<DbTime>)> =
                    by_keys!(&mut c, keys, query, (flows::workspace_id, flows::id))?;
                Ok(found.into_iter().filter(|(_, deleted)| deleted.is_none()).map(|(id, _)| id.typed()).collect())
            })
        })
        .await
    }

    async fn versions(
        &self,
        access: &Access,
        flow: FlowId,
        page: PageRequest,
    ) -> Result<Page<FlowVersion>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(flow));
        self.read(move |mut c| {
            Box::pin(async move {
                let newest_first = page.order == Order::NewestFirst;
                let after = page.after.map(|after| FlowVersion::number_at(&after));
                let rows: Vec<VersionRow> = load!(&mut c, {
                    let query = flow_versions::table
                        .filter(flow_versions::workspace_id.eq(ws))
                        .filter(flow_versions::flow_id.eq(id))
                        .select(VersionRow::as_select())
                        .limit(i64::from(page.limit) + 1)
                        .into_boxed::<Db>();
                    let query = match (after, newest_first) {
                        (None, _) => query,
                        (Some(after), true) => query.filter(flow_versions::number.lt(after)),
                        (Some(after), false) => query.filter(flow_versions::number.gt(after)),
                    };
                    match newest_first {
                        true => query.order(flow_versions::number.desc()),
                        false => query.order(flow_versions::number.asc()),
                    }
                })?;
                let total = total!(&mut c, page, flow_versions::flow_id, {
                    flow_versions::table
                        .filter(flow_versions::workspace_id.eq(ws))
                        .filter(flow_versions::flow_id.eq(id))
                        .into_boxed::<Db>()
                });
                let found = rows.into_iter().map(VersionRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, FlowVersion::position).of_total(total))
            })
        })
        .await
    }

    async fn keyword_triggers(&self, access: &Access) -> Result<Vec<ActiveTrigger>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| Box::pin(async move { triggers(&mut c, ws, "keyword", "").await })).await
    }

    async fn event_triggers(&self, access: &Access, kind: EventKind) -> Result<Vec<ActiveTrigger>, StoreError> {
        let found = self.loaders.event_triggers.load(&self.backend, (access.workspace().into(), kind)).await?;
        Ok(found.unwrap_or_default())
    }

    async fn awaiting_reply(&self, access: &Access, contact: ContactId) -> Result<Vec<Run>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<RunRow> = load!(
                    &mut c,
                    flow_runs::table
                        .filter(flow_runs::workspace_id.checked(ws))
                        .filter(flow_runs::contact_id.eq(DbId::from(contact)))
                        .filter(sql::<Bool>(AWAITING))
                        .order((flow_runs::updated_at.desc(), flow_runs::id.desc()))
                        .select(RunRow::as_select())
                )?;
                rows.into_iter().map(RunRow::read).collect()
            })
        })
        .await
    }

    async fn started_by(&self, access: &Access, cause: Uuid) -> Result<Vec<FlowId>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| {
            Box::pin(async move {
                let found: Vec<DbId> = load!(
                    &mut c,
                    flow_runs::table
                        .filter(flow_runs::workspace_id.checked(ws))
                        .filter(flow_runs::cause_id.eq(DbId(cause)))
                        .select(flow_runs::flow_id)
                )?;
                Ok(found.into_iter().map(DbId::typed).collect())
            })
        })
        .await
    }

    async fn runs(&self, access: &Access, filter: &RunFilter, page: PageRequest) -> Result<Page<Run>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), *filter);
        self.read(move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<RunRow>, _) = listed!(&mut c, page, (flow_runs::started_at, flow_runs::id), {
                    let query = flow_runs::table.select(RunRow::as_select()).into_boxed::<Db>();
                    let (contact, flow) = (filter.contact.map(DbId::from), filter.flow.map(DbId::from));
                    // It goes by one of them, the one that has the fewest; the others are checked.
                    let query = match (contact, flow) {
                        (None, None) => whole!(query.filter(flow_runs::workspace_id.eq(ws)), flow_runs::updated_at),
                        _ => query.filter(flow_runs::workspace_id.checked(ws)),
                    };
                    let query = match (contact, flow) {
                        (None, None) => query,
                        (None, Some(flow)) => {
                            whole!(query.filter(flow_runs::flow_id.eq(flow)), flow_runs::updated_at)
                        }
                        (Some(contact), None) => query.filter(flow_runs::contact_id.eq(contact)),
                        (Some(contact), Some(flow)) => {
                            let of_contact = query.filter(flow_runs::contact_id.eq(contact));
                            of_contact.filter(flow_runs::flow_id.checked(flow))
                        }
                    };
                    match filter.status {
                        Some(status) => query.filter(flow_runs::status.checked(status.as_str())),
                        None => query,
                    }
                });
                let found = rows.into_iter().map(RunRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.started_at, id: it.id.uuid() }).of_total(total))
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
                row.map(VersionRow::read).transpose()
            })
        })
        .await
    }

    async fn compiled(
        &self,
        access: &Access,
        flow: FlowId,
        number: i64,
    ) -> Result<Option<Arc<CompiledFlow>>, StoreError> {
        let key = (DbId::from(access.workspace()), DbId::from(flow), number);
        if let Some(held) = self.compiled.get(&key) {
            return Ok(Some(held));
        }
        let Some(version) = self.version(access, flow, number).await? else { return Ok(None) };
        let compiled = Arc::new(version.compile()?);
        self.compiled.insert(key, Arc::clone(&compiled));
        Ok(Some(compiled))
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
        self.read_row(move |mut c| {
            Box::pin(async move {
                let row: Option<RunRow> = find!(
                    &mut c,
                    flow_runs::table
                        .filter(flow_runs::workspace_id.checked(ws))
                        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
                        .filter(flow_runs::contact_id.eq(DbId::from(contact)))
                        .filter(flow_runs::slot.checked(DbId(Uuid::nil())))
                        .filter(flow_runs::ended_at.is_null())
                        // The order of the live ones: no other index has it.
                        .order(flow_runs::slot)
                        .limit(1)
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
                        .filter(flow_runs::workspace_id.checked(ws))
                        .filter(flow_runs::contact_id.eq(DbId::from(contact)))
                        .filter(flow_runs::flow_id.checked(DbId::from(flow)))
                        .order((flow_runs::started_at.desc(), flow_runs::id.desc()))
                        .limit(i64::from(limit))
                        .select(flow_runs::started_at)
                )?;
                Ok(times.into_iter().map(|time| time.0).collect())
            })
        })
        .await
    }
}

/// Ends all live runs of a contact.
pub(crate) async fn interrupt_runs(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    at: Timestamp,
) -> Result<(), Fault> {
    let target = flow_runs::table
        .filter(flow_runs::workspace_id.checked(ws))
        .filter(flow_runs::contact_id.eq(DbId::from(contact)))
        .filter(flow_runs::ended_at.is_null());
    let changes = (
        flow_runs::status.eq(RunStatus::Interrupted.as_str()),
        flow_runs::ended_at.eq(DbTime(at)),
        flow_runs::wait_until.eq(None::<DbTime>),
        flow_runs::wait_kind.eq(None::<String>),
        flow_runs::wait_attempt.eq(0),
        flow_runs::updated_at.eq(DbTime(at)),
        flow_runs::version.eq(flow_runs::version + 1),
    );
    execute!(c, diesel::update(target).set(changes)).map(|_| ())
}

/// Takes back the queued steps of a run.
pub(crate) async fn drop_steps(c: &mut Connection<'_>, ws: DbId, run: RunId) -> Result<(), Fault> {
    let queued = jobs::table
        .filter(jobs::workspace_id.checked(ws))
        .filter(jobs::lane.eq(DbId::from(run)))
        .filter(jobs::kind.eq(JobKind::StepRun.as_str()))
        .filter(jobs::dead_at.is_null())
        .filter(jobs::claimed.eq(false));
    let dropped: Vec<bool> = load!(c, diesel::delete(queued).returning(jobs::followed))?;
    // What was queued meanwhile is not behind them any more.
    match dropped.contains(&true) {
        true => crate::jobs::release_lanes(c, vec![run.into()]).await,
        false => Ok(()),
    }
}

/// Ends all live runs of a flow, with their queued steps.
pub(crate) async fn interrupt_flow(c: &mut Connection<'_>, ws: DbId, flow: FlowId, at: Timestamp) -> Result<(), Fault> {
    let live = flow_runs::table
        .filter(flow_runs::workspace_id.checked(ws))
        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
        .filter(flow_runs::ended_at.is_null());
    match c {
        Connection::Postgres(connection) => {
            let query = diesel::sql_query(DROP_STEPS_OF_LIVE).bind::<Id, _>(DbId::from(flow)).bind::<Id, _>(ws);
            let query = query.bind::<Text, _>(JobKind::StepRun.as_str());
            let mut borrowed: &diesel_async::AsyncPgConnection = connection;
            let dropped: Vec<Dropped> = diesel_async::RunQueryDsl::load(Fixed(query), &mut borrowed).await?;
            // What was queued meanwhile is not behind them any more.
            crate::jobs::release_lanes(c, dropped.into_iter().filter_map(|it| it.lane).collect()).await?;
        }
        Connection::Sqlite(_) => {
            let queued = jobs::table
                .filter(jobs::workspace_id.eq(ws))
                .filter(jobs::lane.eq_any(live.select(flow_runs::id.nullable())))
                .filter(jobs::kind.eq(JobKind::StepRun.as_str()))
                .filter(jobs::dead_at.is_null())
                .filter(jobs::claimed.eq(false));
            execute!(c, diesel::delete(queued))?;
        }
    }
    let changes = (
        flow_runs::status.eq(RunStatus::Interrupted.as_str()),
        flow_runs::ended_at.eq(DbTime(at)),
        flow_runs::wait_until.eq(None::<DbTime>),
        flow_runs::wait_kind.eq(None::<String>),
        flow_runs::wait_attempt.eq(0),
        flow_runs::updated_at.eq(DbTime(at)),
        flow_runs::version.eq(flow_runs::version + 1),
    );
    execute!(c, diesel::update(live).set(changes)).map(|_| ())
}

/// A step that was taken back, with its lane if others waited behind it.
#[derive(QueryableByName)]
struct Dropped {
    #[diesel(sql_type = diesel::sql_types::Nullable<Id>)]
    lane: Option<DbId>,
}

/// The queued steps of a flow's live runs, of those runs that the condition chooses. They are locked where they are found,
/// run by run, and changed in that place.
macro_rules! steps_of_live {
    ($runs:literal, $steps:literal, $then:literal) => {
        concat!(
            "WITH live AS MATERIALIZED (SELECT r.id FROM flow_runs r WHERE r.flow_id = $1 AND r.ended_at IS NULL \
             AND r.workspace_id IS NOT DISTINCT FROM $2",
            $runs,
            "), queued AS MATERIALIZED (SELECT step.place FROM live CROSS JOIN LATERAL (SELECT j.ctid AS place FROM jobs j \
             WHERE j.lane = live.id AND j.dead_at IS NULL AND j.workspace_id IS NOT DISTINCT FROM $2 AND j.kind = $3 \
             AND NOT j.claimed",
            $steps,
            " FOR NO KEY UPDATE) step) ",
            $then
        )
    };
}

const DROP_STEPS_OF_LIVE: &str = steps_of_live!("", "", "DELETE FROM jobs USING queued WHERE jobs.ctid = queued.place RETURNING \
     CASE WHEN jobs.followed THEN jobs.lane END AS lane");
const WAKE_STEPS_OF_LIVE: &str = steps_of_live!(
    " AND (r.status = $5 OR r.wait_until <= $4)",
    " AND j.due_at > $4",
    "UPDATE jobs SET due_at = $4 FROM queued WHERE jobs.ctid = queued.place"
);

/// Moves live runs to a version that has their node.
pub(crate) async fn migrate_runs(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    to: i64,
    nodes: &[String],
    at: Timestamp,
) -> Result<(), Fault> {
    let moving = flow_runs::table
        .filter(flow_runs::workspace_id.checked(ws))
        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
        .filter(flow_runs::ended_at.is_null())
        .filter(flow_runs::node.is_null().or(flow_runs::node.eq_any(nodes.iter().cloned().map(Some))));
    let changes = (
        flow_runs::flow_version.eq(to),
        flow_runs::updated_at.eq(DbTime(at)),
        flow_runs::version.eq(flow_runs::version + 1),
    );
    execute_any!(c, diesel::update(moving).set(changes)).map(|_| ())
}

/// Makes due the queued steps of live runs whose time came while their flow was paused.
pub(crate) async fn wake_runs(c: &mut Connection<'_>, ws: DbId, flow: FlowId, at: Timestamp) -> Result<(), Fault> {
    if let Connection::Postgres(connection) = c {
        let query = diesel::sql_query(WAKE_STEPS_OF_LIVE).bind::<Id, _>(DbId::from(flow)).bind::<Id, _>(ws);
        let query = query.bind::<Text, _>(JobKind::StepRun.as_str()).bind::<Instant, _>(DbTime(at));
        let mut connection: &diesel_async::AsyncPgConnection = connection;
        let query = Fixed(query.bind::<Text, _>(RunStatus::Active.as_str()));
        return Ok(diesel_async::RunQueryDsl::execute(query, &mut connection).await.map(drop)?);
    }
    let due = flow_runs::table
        .filter(flow_runs::workspace_id.eq(ws))
        .filter(flow_runs::flow_id.eq(DbId::from(flow)))
        .filter(flow_runs::ended_at.is_null())
        .filter(flow_runs::status.eq(RunStatus::Active.as_str()).or(flow_runs::wait_until.le(DbTime(at))))
        .select(flow_runs::id.nullable());
    let queued = jobs::table
        .filter(jobs::workspace_id.eq(ws))
        .filter(jobs::lane.eq_any(due))
        .filter(jobs::kind.eq(JobKind::StepRun.as_str()))
        .filter(jobs::claimed.eq(false))
        .filter(jobs::dead_at.is_null())
        .filter(jobs::due_at.gt(DbTime(at)));
    execute!(c, diesel::update(queued).set(jobs::due_at.eq(DbTime(at)))).map(|_| ())
}

/// Puts triggers in the place of a flow's.
pub(crate) async fn put_triggers(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    triggers: &[Value],
) -> Result<(), Fault> {
    let old = flow_triggers::table
        .filter(flow_triggers::workspace_id.eq(ws))
        .filter(flow_triggers::flow_id.eq(DbId::from(flow)));
    execute!(c, diesel::delete(old))?;
    for (place, trigger) in triggers.iter().enumerate() {
        let text = |name: &str| trigger.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let row = (
            flow_triggers::workspace_id.eq(ws),
            flow_triggers::flow_id.eq(DbId::from(flow)),
            flow_triggers::place.eq(i32::try_from(place).unwrap_or(i32::MAX)),
            flow_triggers::kind.eq(text("type")),
            flow_triggers::word.eq(text("event")),
            flow_triggers::definition.eq(to_json(trigger)?),
        );
        execute!(c, diesel::insert_into(flow_triggers::table).values(row))?;
    }
    Ok(())
}

/// Hides a flow.
pub(crate) async fn delete(c: &mut Connection<'_>, ws: DbId, flow: FlowId, at: Timestamp) -> Result<(), Fault> {
    put_triggers(c, ws, flow, &[]).await?;
    let target = flows::table.find((ws, DbId::from(flow))).filter(flows::deleted_at.is_null());
    let changes = (flows::deleted_at.eq(DbTime(at)), flows::version.eq(flows::version + 1));
    let rows = execute!(c, diesel::update(target).set(changes))?;
    exactly_one(rows, Conflict::Stale(Object::Flow(flow)))
}

/// Empties the traces of runs that ended in a time; from when on there may be more.
pub(crate) async fn expire_traces(
    c: &mut Connection<'_>,
    from: Timestamp,
    before: Timestamp,
    limit: u32,
) -> Result<Option<Timestamp>, Fault> {
    let old: Vec<(DbId, DbId, Option<DbTime>)> = load!(
        c,
        flow_runs::table
            .filter(flow_runs::ended_at.ge(DbTime(from)))
            .filter(flow_runs::ended_at.lt(DbTime(before)))
            .filter(flow_runs::trace.ne(NO_TRACE))
            .order(flow_runs::ended_at.asc())
            .limit(i64::from(limit))
            .select((flow_runs::workspace_id, flow_runs::id, flow_runs::ended_at))
    )?;
    for (ws, id, _) in &old {
        execute!(c, diesel::update(flow_runs::table.find((*ws, *id))).set(flow_runs::trace.eq(NO_TRACE)))?;
    }
    let is_full = old.len() == limit as usize;
    Ok(old.last().filter(|_| is_full).and_then(|(_, _, ended)| ended.map(|it| it.0)))
}

/// A trace in which nothing happened.
const NO_TRACE: &str = "[]";

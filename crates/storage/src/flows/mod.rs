//! Flows, their versions and their runs.

pub(crate) mod catalog;
pub(crate) mod references;
mod rows;
mod run_end;
mod run_queries;
mod runs;
mod schedules;
mod statistics;
mod steps;
mod triggers;
mod versions;
mod with_contacts;

use std::sync::Arc;

use async_trait::async_trait;
use diesel::prelude::*;
use serde_json::Value;
use tidings_domain::access::Access;
use tidings_domain::custom_events::CustomEventName;
use tidings_domain::events::EventKind;
use tidings_domain::flows::{
    ActiveTrigger, AwaitedKind, CompiledFlow, Flow, FlowSchedule, FlowStats, FlowStatus, FlowVersion, NodeTally, Run,
    RunFilter, RunWithContact, StatisticsRequest,
};
use tidings_domain::ids::{ContactId, FlowId, RunId, TypedId};
use tidings_domain::list_filter::ListFilter;
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{Conflict, FlowQueries, Object, StoreError};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::Storage;
use crate::connection::faults::Fault;
use crate::connection::{Connection, by_keys, counted_page, execute, find, load};
use crate::queries::list_index::whole_list;
use crate::queries::named_lists::{by_name_and_status, narrowed};
use crate::queries::rows::{exactly_one, json};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{flow_runs, flow_versions, flows};

pub(crate) use rows::{FlowRow, RunRow, VersionRow};
pub(crate) use run_end::{interrupt_called, interrupt_flow, interrupt_runs};
pub(crate) use run_queries::{LiveRun, is_refused, live_runs};
pub(crate) use runs::{expire_runs, expire_traces, migrate_runs};
pub(crate) use schedules::{RecipientRow, drop_recipients, freeze, put_schedule, take_recipients};
pub(crate) use statistics::{METRIC as NODES, add_counts as add_node_counts};
pub(crate) use steps::{drop_steps, wake_runs, wake_steps};
pub(crate) use triggers::{event_triggers, put_awaited, put_triggers};
pub(crate) use with_contacts::with_contacts;

/// The workspace and the ID of a flow.
pub type FlowKey = (Uuid, Uuid);

impl Storage {
    /// Returns the published definitions of flows of all workspaces, for operators. Deleted flows are excluded. The
    /// list is ordered by key and starts after `after`.
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
        self.read(ws, move |mut c| {
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
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let there = flows::table.find((ws, id)).filter(flows::deleted_at.is_null());
                let row: Option<FlowRow> = find!(&mut c, there.select(FlowRow::as_select()))?;
                row.map(FlowRow::read).transpose()
            })
        })
        .await
    }

    async fn node_counts(
        &self,
        access: &Access,
        flow: FlowId,
        request: StatisticsRequest,
    ) -> Result<Vec<NodeTally>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { statistics::read(&mut c, ws, flow, request).await })).await
    }

    async fn waiting_at(
        &self,
        access: &Access,
        flow: FlowId,
        version: Option<i64>,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { statistics::waiting(&mut c, ws, flow, version).await })).await
    }

    async fn stats(&self, access: &Access, flow: FlowId) -> Result<FlowStats, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { run_queries::stats(&mut c, ws, flow).await })).await
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<FlowStatus>,
        page: PageRequest,
    ) -> Result<Page<Flow>, StoreError> {
        let ws = DbId::from(access.workspace());
        if filter.narrows() {
            let admits = by_name_and_status(filter.clone(), "flow status", FlowStatus::parse);
            let all = flows::table
                .filter(flows::workspace_id.eq(ws))
                .filter(flows::deleted_at.is_null())
                .filter(whole_list(flows::updated_at));
            let told = (flows::name, flows::status);
            return narrowed!(self, ws, page, flows, FlowRow::as_select(), all, told, admits, FlowRow::read);
        }
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<FlowRow>, _) = counted_page!(&mut c, page, (flows::created_at, flows::id), {
                    let query = flows::table.filter(flows::workspace_id.eq(ws)).filter(flows::deleted_at.is_null());
                    let query = query.select(FlowRow::as_select());
                    query.filter(whole_list(flows::updated_at)).into_boxed::<Db>()
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
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let keys: Vec<_> = wanted.into_iter().map(|id| (ws, id)).collect();
                let query = flows::table.select((flows::id, flows::deleted_at));
                let found: Vec<(DbId, Option<DbTime>)> =
                    by_keys!(&mut c, keys, query, (flows::workspace_id, flows::id))?;
                Ok(found.into_iter().filter(|(_, deleted)| deleted.is_none()).map(|(id, _)| id.to_typed_id()).collect())
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
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { versions::page(&mut c, ws, flow, page).await })).await
    }

    async fn published_with_secrets(&self, access: &Access) -> Result<Vec<FlowVersion>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { versions::with_secrets(&mut c, ws).await })).await
    }

    async fn keyword_triggers(&self, access: &Access) -> Result<Vec<ActiveTrigger>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { triggers::of_kind(&mut c, ws, "keyword", "").await })).await
    }

    async fn referral_triggers(&self, access: &Access) -> Result<Vec<ActiveTrigger>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { triggers::of_kind(&mut c, ws, "referral", "").await })).await
    }

    async fn event_triggers(&self, access: &Access, kind: EventKind) -> Result<Vec<ActiveTrigger>, StoreError> {
        let found = self.loaders.event_triggers.load(&self.backend, (access.workspace().into(), kind)).await?;
        Ok(found.unwrap_or_default())
    }

    async fn custom_event_triggers(
        &self,
        access: &Access,
        name: &CustomEventName,
    ) -> Result<Vec<ActiveTrigger>, StoreError> {
        let (ws, name) = (DbId::from(access.workspace()), name.to_string());
        self.read(ws, move |mut c| Box::pin(async move { triggers::of_kind(&mut c, ws, "custom_event", &name).await }))
            .await
    }

    async fn schedule(&self, access: &Access, flow: FlowId) -> Result<Option<FlowSchedule>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { schedules::read(&mut c, ws, flow).await })).await
    }

    async fn schedules(&self, access: &Access) -> Result<Vec<FlowSchedule>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { schedules::planned(&mut c, ws).await })).await
    }

    async fn recipients(
        &self,
        access: &Access,
        flow: FlowId,
        limit: u32,
    ) -> Result<Vec<(Timestamp, ContactId)>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let found = schedules::recipients(&mut c, ws, flow, limit).await?;
                Ok(found.into_iter().map(schedules::recipient).collect())
            })
        })
        .await
    }

    async fn awaiting_reply(&self, access: &Access, contact: ContactId) -> Result<Vec<Run>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { run_queries::awaiting_reply(&mut c, ws, contact).await }))
            .await
    }

    async fn awaiting_event(
        &self,
        access: &Access,
        contact: ContactId,
        awaited: &AwaitedKind,
    ) -> Result<Vec<Run>, StoreError> {
        let (ws, awaited) = (DbId::from(access.workspace()), awaited.clone());
        self.read(ws, move |mut c| {
            Box::pin(async move { run_queries::awaiting_event(&mut c, ws, contact, &awaited).await })
        })
        .await
    }

    async fn events_under_way(&self, access: &Access, contact: ContactId) -> Result<Vec<Uuid>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { run_queries::events_under_way(&mut c, ws, contact).await }))
            .await
    }

    async fn started_by(&self, access: &Access, cause: Uuid) -> Result<Vec<FlowId>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { run_queries::started_by(&mut c, ws, cause).await })).await
    }

    async fn runs(&self, access: &Access, filter: &RunFilter, page: PageRequest) -> Result<Page<Run>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        self.read(ws, move |mut c| Box::pin(async move { run_queries::runs(&mut c, ws, filter, page).await })).await
    }

    async fn version(&self, access: &Access, flow: FlowId, number: i64) -> Result<Option<FlowVersion>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(flow));
        self.read(ws, move |mut c| {
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
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<RunRow> = find!(&mut c, flow_runs::table.find((ws, id)).select(RunRow::as_select()))?;
                row.map(RunRow::read).transpose()
            })
        })
        .await
    }

    async fn run_with_contact(&self, access: &Access, run: RunId) -> Result<Option<RunWithContact>, StoreError> {
        self.loaders.runs.load(&self.backend, (access.workspace().into(), run.into())).await
    }

    async fn live_run(&self, access: &Access, flow: FlowId, contact: ContactId) -> Result<Option<Run>, StoreError> {
        let key = (DbId::from(access.workspace()), [DbId::from(flow), DbId::from(contact)]);
        self.loaders.live_runs.load(&self.backend, key).await
    }

    async fn recent_starts(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        limit: u32,
    ) -> Result<Vec<Timestamp>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move { run_queries::recent_starts(&mut c, ws, (flow, contact), limit).await })
        })
        .await
    }

    async fn is_refused_since(
        &self,
        access: &Access,
        flow: FlowId,
        contact: ContactId,
        since: Timestamp,
    ) -> Result<bool, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move { run_queries::is_refused_since(&mut c, ws, (flow, contact), since).await })
        })
        .await
    }
}

/// Marks a flow as deleted and removes its triggers.
pub(crate) async fn delete(c: &mut Connection<'_>, ws: DbId, flow: FlowId, at: Timestamp) -> Result<(), Fault> {
    put_triggers(c, ws, flow, &[]).await?;
    put_awaited(c, ws, flow, &[], false).await?;
    let target = flows::table.find((ws, DbId::from(flow))).filter(flows::deleted_at.is_null());
    let changes =
        (flows::deleted_at.eq(DbTime(at)), flows::updated_at.eq(DbTime(at)), flows::version.eq(flows::version + 1));
    let rows = execute!(c, diesel::update(target).set(changes))?;
    exactly_one(rows, Conflict::Stale(Object::Flow(flow)))
}

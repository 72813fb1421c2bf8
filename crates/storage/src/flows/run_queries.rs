//! Searches for runs.

use diesel::dsl::{not, sql};
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use diesel_async::AsyncPgConnection;
use tidings_domain::flows::{AwaitedKind, FlowStats, Run, RunFilter, RunStatus};
use tidings_domain::ids::{ContactId, FlowId, TypedId};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::JobKind;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use super::RunRow;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, counted_page, find, load};
use crate::queries::by_keys::ByKeys;
use crate::queries::list_index::whole_list;
use crate::queries::loader::Found;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{flow_runs, jobs};

/// A workspace, with a flow and a contact.
pub(crate) type LiveRun = (DbId, [DbId; 2]);

type Count = (String, i64);

/// Must match the text of the index on runs that wait for a reply.
const AWAITING: &str = "flow_runs.wait_kind = 'reply'";
/// Must match the text of the index on runs that wait for an event.
const AWAITING_EVENT: &str = "flow_runs.wait_kind = 'event'";
/// Must match the text of the index on runs at nodes. A condition on the end time would also allow the index of live
/// runs.
const LIVE: &str = "flow_runs.status IN ('active', 'waiting')";
/// The end of a lookup of the live run in the shared slot, by flow and contact.
const LIVE_IN_SHARED_SLOT: &str = "AND found.slot IS NOT DISTINCT FROM '00000000-0000-0000-0000-000000000000' \
    AND found.ended_at IS NULL ORDER BY found.slot LIMIT 1";

pub(super) async fn stats(c: &mut Connection<'_>, ws: DbId, flow: FlowId) -> Result<FlowStats, Fault> {
    let id = DbId::from(flow);
    let of_flow = flow_runs::table.filter(flow_runs::workspace_id.eq_unindexed(ws)).filter(flow_runs::flow_id.eq(id));
    let counts: Vec<Count> = load!(
        c,
        of_flow
            .filter(whole_list(flow_runs::updated_at))
            .group_by(flow_runs::status)
            .select((flow_runs::status, diesel::dsl::count_star()))
    )?;
    let mut stats = FlowStats::default();
    for (status, count) in counts {
        *stats.of(word(&status, "run status", RunStatus::parse)?) = count;
    }
    Ok(stats)
}

/// Returns the runs that wait for a reply of a contact, newest first.
pub(super) async fn awaiting_reply(c: &mut Connection<'_>, ws: DbId, contact: ContactId) -> Result<Vec<Run>, Fault> {
    let rows: Vec<RunRow> = load!(
        c,
        flow_runs::table
            .filter(flow_runs::workspace_id.eq_unindexed(ws))
            .filter(flow_runs::contact_id.eq(DbId::from(contact)))
            .filter(sql::<Bool>(AWAITING))
            .order((flow_runs::updated_at.desc(), flow_runs::id.desc()))
            .select(RunRow::as_select())
    )?;
    rows.into_iter().map(RunRow::read).collect()
}

/// Returns the runs that wait for this event of a contact, oldest first.
pub(super) async fn awaiting_event(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    awaited: &AwaitedKind,
) -> Result<Vec<Run>, Fault> {
    let rows: Vec<RunRow> = load!(
        c,
        flow_runs::table
            .filter(flow_runs::workspace_id.eq_unindexed(ws))
            .filter(flow_runs::contact_id.eq(DbId::from(contact)))
            .filter(flow_runs::wait_event.eq(awaited.to_string()))
            .filter(sql::<Bool>(AWAITING_EVENT))
            .order((flow_runs::updated_at.asc(), flow_runs::id.asc()))
            .limit(100)
            .select(RunRow::as_select())
    )?;
    rows.into_iter().map(RunRow::read).collect()
}

/// Returns the events of a contact that are queued for its flows.
pub(super) async fn events_under_way(c: &mut Connection<'_>, ws: DbId, contact: ContactId) -> Result<Vec<Uuid>, Fault> {
    let taken = jobs::kind.eq(JobKind::TakeEvent.as_str());
    let found: Vec<DbId> = load!(
        c,
        jobs::table
            .filter(jobs::workspace_id.eq_unindexed(ws))
            .filter(jobs::lane.eq(DbId::from(contact)))
            .filter(jobs::dead_at.is_null())
            .filter(taken.or(jobs::kind.eq(JobKind::TakeCustomEvent.as_str())))
            .order(jobs::id.desc())
            .limit(1_000)
            .select(jobs::subject)
    )?;
    Ok(found.into_iter().map(|event| event.0).collect())
}

/// Returns the flows with runs that this event started.
pub(super) async fn started_by(c: &mut Connection<'_>, ws: DbId, cause: Uuid) -> Result<Vec<FlowId>, Fault> {
    let found: Vec<DbId> = load!(
        c,
        flow_runs::table
            .filter(flow_runs::workspace_id.eq_unindexed(ws))
            .filter(flow_runs::cause_id.eq(DbId(cause)))
            .select(flow_runs::flow_id)
    )?;
    Ok(found.into_iter().map(DbId::to_typed_id).collect())
}

pub(super) async fn runs(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: RunFilter,
    page: PageRequest,
) -> Result<Page<Run>, Fault> {
    let (rows, total): (Vec<RunRow>, _) = counted_page!(c, page, (flow_runs::started_at, flow_runs::id), {
        let query = flow_runs::table.select(RunRow::as_select()).into_boxed::<Db>();
        let (contact, flow) = (filter.contact.map(DbId::from), filter.flow.map(DbId::from));
        // The most selective part of the filter leads the lookup, and the others are only checked. Flow and node
        // together lead the lookup of runs at a node.
        let goes_by_node = filter.node.is_some() && flow.is_some() && contact.is_none();
        let query = match (contact, flow) {
            (None, None) => query.filter(flow_runs::workspace_id.eq(ws)).filter(whole_list(flow_runs::updated_at)),
            _ => query.filter(flow_runs::workspace_id.eq_unindexed(ws)),
        };
        let query = match (contact, flow) {
            (None, None) => query,
            (None, Some(flow)) if goes_by_node => query.filter(flow_runs::flow_id.eq(flow)),
            (None, Some(flow)) => query.filter(flow_runs::flow_id.eq(flow)).filter(whole_list(flow_runs::updated_at)),
            (Some(contact), None) => query.filter(flow_runs::contact_id.eq(contact)),
            (Some(contact), Some(flow)) => {
                let of_contact = query.filter(flow_runs::contact_id.eq(contact));
                of_contact.filter(flow_runs::flow_id.eq_unindexed(flow))
            }
        };
        let query = match filter.node.clone() {
            None => query,
            Some(node) if goes_by_node => query.filter(flow_runs::node.eq(node)).filter(sql::<Bool>(LIVE)),
            Some(node) => query.filter(flow_runs::node.eq_unindexed(node)).filter(sql::<Bool>(LIVE)),
        };
        match filter.status {
            Some(status) => query.filter(flow_runs::status.eq_unindexed(status.as_str())),
            None => query,
        }
    });
    let found = rows.into_iter().map(RunRow::read).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::cut(found, page.limit, |it| Position { at: it.started_at, id: it.id.uuid() }).of_total(total))
}

/// Returns the live runs in the shared slot, by flow and contact.
pub(crate) fn live_runs(mut c: Connection<'_>, keys: Vec<LiveRun>) -> Found<'_, LiveRun, Run> {
    Box::pin(async move {
        let rows: Vec<RunRow> = match &mut c {
            Connection::Postgres(connection) if keys.len() > 1 => {
                let mut connection: &AsyncPgConnection = connection;
                let columns = flow_runs::table.select(RunRow::as_select());
                let query =
                    PreparedQuery(ByKeys::having(columns, ["flow_id", "contact_id"], &keys, LIVE_IN_SHARED_SLOT));
                diesel_async::RunQueryDsl::load(query, &mut connection).await?
            }
            c => {
                let mut rows = Vec::new();
                for (ws, [flow, contact]) in keys {
                    // Must match `LIVE_IN_SHARED_SLOT`.
                    let found: Vec<RunRow> = load!(
                        c,
                        flow_runs::table
                            .filter(flow_runs::workspace_id.eq_unindexed(ws))
                            .filter(flow_runs::flow_id.eq(flow))
                            .filter(flow_runs::contact_id.eq(contact))
                            .filter(flow_runs::slot.eq_unindexed(DbId(Uuid::nil())))
                            .filter(flow_runs::ended_at.is_null())
                            // Only the index of live runs has this order.
                            .order(flow_runs::slot)
                            .limit(1)
                            .select(RunRow::as_select())
                    )?;
                    rows.extend(found);
                }
                rows
            }
        };
        let key = |row: &RunRow| (row.workspace_id, [row.flow_id, row.contact_id]);
        rows.into_iter().map(|row| Ok((key(&row), row.read()?))).collect()
    })
}

/// Returns the start times of the last runs of a flow for a contact.
pub(super) async fn recent_starts(
    c: &mut Connection<'_>,
    ws: DbId,
    (flow, contact): (FlowId, ContactId),
    limit: u32,
) -> Result<Vec<Timestamp>, Fault> {
    let times: Vec<DbTime> = load!(
        c,
        flow_runs::table
            .filter(flow_runs::workspace_id.eq_unindexed(ws))
            .filter(flow_runs::contact_id.eq(DbId::from(contact)))
            .filter(flow_runs::flow_id.eq_unindexed(DbId::from(flow)))
            .filter(not(is_refused()))
            .order((flow_runs::started_at.desc(), flow_runs::id.desc()))
            .limit(i64::from(limit))
            .select(flow_runs::started_at)
    )?;
    Ok(times.into_iter().map(|time| time.0).collect())
}

/// Returns true if a run of a flow was refused for a contact since `since`.
pub(super) async fn is_refused_since(
    c: &mut Connection<'_>,
    ws: DbId,
    (flow, contact): (FlowId, ContactId),
    since: Timestamp,
) -> Result<bool, Fault> {
    let refused: Option<DbId> = find!(
        c,
        flow_runs::table
            .filter(flow_runs::workspace_id.eq_unindexed(ws))
            .filter(flow_runs::contact_id.eq(DbId::from(contact)))
            .filter(flow_runs::flow_id.eq_unindexed(DbId::from(flow)))
            .filter(flow_runs::started_at.ge(DbTime(since)))
            .filter(is_refused())
            .limit(1)
            .select(flow_runs::id)
    )?;
    Ok(refused.is_some())
}

/// The condition that a run failed before its first node ([`Run::is_refused`]).
pub(crate) fn is_refused() -> SqlLiteral<Bool> {
    sql("(flow_runs.status = 'failed' AND flow_runs.nodes_visited = 0)")
}

//! Schedules of flows, and the recipients of their firings.

use diesel::expression::IntoSql;
use diesel::prelude::*;
use tidings_domain::conditions::Selection;
use tidings_domain::flows::FlowSchedule;
use tidings_domain::ids::{ContactId, FlowId};
use tidings_domain::ports::{Conflict, Object};
use tidings_domain::time::Timestamp;

use crate::conditions::Compile;
use crate::connection::faults::Fault;
use crate::connection::{Connection, find, load, on_either};
use crate::queries::list_index::whole_list;
use crate::queries::types::{DbId, DbTime, Id, Instant};
use crate::schema::{contacts, flow_recipients, flow_schedules};
use crate::write::{self, MissedRows};

crate::write::write_texts! {
    ScheduleRow: crate::write::Shape { version: "visit", ..crate::write::Shape::of("flow_schedules") },
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = flow_schedules)]
    pub(crate) struct ScheduleRow in flow_schedules {
        workspace_id: DbId,
        flow_id: DbId,
        next_at: Option<DbTime>,
        zone: String,
        fired_at: Option<DbTime>,
        visit: i64,
    }
}

crate::write::row! {
    /// A contact selected by a firing of a flow.
    #[derive(Debug, Clone)]
    pub(crate) struct RecipientRow in flow_recipients {
        pub(crate) workspace_id: DbId,
        pub(crate) flow_id: DbId,
        pub(crate) fired_at: DbTime,
        pub(crate) contact_id: DbId,
    }
}

impl ScheduleRow {
    fn write(workspace_id: DbId, it: &FlowSchedule) -> Self {
        Self {
            workspace_id,
            flow_id: it.flow.into(),
            next_at: it.next_at.map(Into::into),
            zone: it.zone.name().to_owned(),
            fired_at: it.fired_at.map(Into::into),
            visit: it.visit,
        }
    }

    fn read(self) -> FlowSchedule {
        FlowSchedule {
            flow: self.flow_id.to_typed_id(),
            visit: self.visit,
            next_at: self.next_at.map(|at| at.0),
            zone: FlowSchedule::zone_named(&self.zone),
            fired_at: self.fired_at.map(|at| at.0),
        }
    }
}

pub(super) async fn read(c: &mut Connection<'_>, ws: DbId, flow: FlowId) -> Result<Option<FlowSchedule>, Fault> {
    let key = flow_schedules::table.find((ws, DbId::from(flow)));
    let row: Option<ScheduleRow> = find!(c, key.select(ScheduleRow::as_select()))?;
    Ok(row.map(ScheduleRow::read))
}

/// Returns the schedules of a workspace with a next firing.
pub(super) async fn planned(c: &mut Connection<'_>, ws: DbId) -> Result<Vec<FlowSchedule>, Fault> {
    let rows: Vec<ScheduleRow> = load!(
        c,
        flow_schedules::table
            .filter(flow_schedules::workspace_id.eq(ws))
            .filter(flow_schedules::next_at.is_not_null())
            .order(flow_schedules::flow_id)
            .select(ScheduleRow::as_select())
    )?;
    Ok(rows.into_iter().map(ScheduleRow::read).collect())
}

/// Returns the recipients of a flow's firings, earliest firing first.
pub(super) async fn recipients(
    c: &mut Connection<'_>,
    ws: DbId,
    flow: FlowId,
    limit: u32,
) -> Result<Vec<(DbTime, DbId)>, Fault> {
    load!(
        c,
        flow_recipients::table
            .filter(flow_recipients::workspace_id.eq(ws))
            .filter(flow_recipients::flow_id.eq(DbId::from(flow)))
            .order((flow_recipients::fired_at.asc(), flow_recipients::contact_id.asc()))
            .limit(i64::from(limit))
            .select((flow_recipients::fired_at, flow_recipients::contact_id))
    )
}

/// Stores the schedule of a flow: a first one, or the successor of the stored one.
pub(crate) async fn put_schedule(c: &mut Connection<'_>, ws: DbId, it: &FlowSchedule) -> Result<(), Fault> {
    let rows = [ScheduleRow::write(ws, it)];
    let stale = || Conflict::Stale(Object::Flow(it.flow));
    if it.visit > 1 {
        return match write::update(c, &rows).await?.is_empty() {
            true => Ok(()),
            false => Err(stale().into()),
        };
    }
    // The caller has locked the flow's row: no other transaction can store a first schedule at the same time.
    match read(c, ws, it.flow).await? {
        None => write::insert(c, &rows).await,
        Some(_) => Err(stale().into()),
    }
}

/// Writes recipients for all selected contacts that are not deleted. One statement reads them from one snapshot.
pub(crate) async fn freeze(
    c: &mut Connection<'_>,
    ws: DbId,
    (flow, at): (FlowId, Timestamp),
    audience: &Selection,
) -> Result<(), Fault> {
    let (flow, at) = (DbId::from(flow), DbTime(at));
    // Each condition has another text, so the statement is not cached.
    on_either!(
        c,
        execute,
        {
            let living = contacts::table
                .filter(contacts::workspace_id.eq(ws))
                .filter(contacts::deleted_at.is_null())
                .filter(Db::chosen(ws, audience));
            let frozen = living.filter(whole_list(contacts::updated_at)).select((
                contacts::workspace_id,
                flow.into_sql::<Id>(),
                at.into_sql::<Instant>(),
                contacts::id,
            ));
            frozen.insert_into(flow_recipients::table).into_columns((
                flow_recipients::workspace_id,
                flow_recipients::flow_id,
                flow_recipients::fired_at,
                flow_recipients::contact_id,
            ))
        },
        (std::convert::identity, std::convert::identity)
    )
    .map(|_| ())
}

/// Removes recipients to process them. Returns those that another worker removed.
pub(crate) async fn take_recipients(c: &mut Connection<'_>, rows: &[RecipientRow]) -> Result<MissedRows, Fault> {
    match c {
        Connection::Postgres(connection) => write::missed(connection, rows, TAKE_ON_POSTGRES).await,
        Connection::Sqlite(connection) => write::each(connection, rows, TAKE_ON_SQLITE),
    }
}

const TAKE_ON_POSTGRES: &str = "DELETE FROM flow_recipients AS t USING unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), \
    (SELECT $3::timestamptz[]), (SELECT $4::uuid[])) WITH ORDINALITY AS r (workspace_id, flow_id, fired_at, contact_id, n) \
    CROSS JOIN LATERAL (SELECT f.ctid FROM flow_recipients f WHERE f.workspace_id = r.workspace_id \
    AND f.flow_id = r.flow_id AND f.fired_at = r.fired_at AND f.contact_id = r.contact_id LIMIT 1 FOR UPDATE) AS found \
    WHERE t.ctid = found.ctid RETURNING r.n";
const TAKE_ON_SQLITE: &str =
    "DELETE FROM flow_recipients WHERE workspace_id = ?1 AND flow_id = ?2 AND fired_at = ?3 AND contact_id = ?4";

pub(crate) async fn drop_recipients(c: &mut Connection<'_>, ws: DbId, flow: FlowId, limit: u32) -> Result<(), Fault> {
    let left = recipients(c, ws, flow, limit).await?;
    let row = |(fired_at, contact_id)| RecipientRow { workspace_id: ws, flow_id: flow.into(), fired_at, contact_id };
    let rows: Vec<RecipientRow> = left.into_iter().map(row).collect();
    take_recipients(c, &rows).await.map(|_| ())
}

pub(super) fn recipient((at, contact): (DbTime, DbId)) -> (Timestamp, ContactId) {
    (at.0, contact.to_typed_id())
}

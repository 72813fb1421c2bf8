//! Running replays.

use diesel::prelude::*;
use tidings_domain::ids::JobId;
use tidings_domain::pagination::Position;
use tidings_domain::webhooks::{DeliveryStatus, Replay};

use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find};
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime};
use crate::schema::webhook_replays;

crate::write::write_texts! {
    ReplayRow: crate::write::Shape::of("webhook_replays"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = webhook_replays)]
    struct ReplayRow in webhook_replays {
        workspace_id: DbId,
        id: DbId,
        webhook_id: DbId,
        since: DbTime,
        until: DbTime,
        status: String,
        after_at: Option<DbTime>,
        after_id: Option<DbId>,
    }
}

pub(crate) async fn put(c: &mut Connection<'_>, workspace_id: DbId, it: &Replay) -> Result<(), Fault> {
    let row = ReplayRow {
        workspace_id,
        id: it.id.into(),
        webhook_id: it.webhook.into(),
        since: it.since.into(),
        until: it.until.into(),
        status: it.status.as_str().to_owned(),
        after_at: it.after.map(|after| after.at.into()),
        after_id: it.after.map(|after| DbId(after.id)),
    };
    drop(c, workspace_id, it.id).await?;
    crate::write::insert(c, &[row]).await
}

pub(crate) async fn drop(c: &mut Connection<'_>, ws: DbId, id: JobId) -> Result<(), Fault> {
    execute!(c, diesel::delete(webhook_replays::table.find((ws, DbId::from(id))))).map(|_| ())
}

pub(crate) async fn read(c: &mut Connection<'_>, ws: DbId, id: JobId) -> Result<Option<Replay>, Fault> {
    let row: Option<ReplayRow> =
        find!(c, webhook_replays::table.find((ws, DbId::from(id))).select(ReplayRow::as_select()))?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Replay {
        id: row.id.to_typed_id(),
        webhook: row.webhook_id.to_typed_id(),
        since: row.since.0,
        until: row.until.0,
        status: word(&row.status, "delivery status", DeliveryStatus::parse)?,
        after: row.after_at.zip(row.after_id).map(|(at, id)| Position { at: at.0, id: id.0 }),
    }))
}

//! Requests of providers that the connector did not understand.

use diesel::prelude::*;
use tidings_domain::channels::{MAX_UNPARSED, UnparsedRequest};
use tidings_domain::ids::TypedId;
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::time::Timestamp;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, counted_page, execute, load};
use crate::queries::list_index::ListIndex;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{contact_identities, unparsed_requests};
use crate::write;

crate::write::write_texts! {
    UnparsedRow: crate::write::Shape::of("unparsed_requests"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = unparsed_requests)]
    pub(crate) struct UnparsedRow in unparsed_requests {
        workspace_id: DbId,
        id: DbId,
        channel_id: DbId,
        received_at: DbTime,
        reason: String,
        size: i64,
        body: String,
    }
}

impl UnparsedRow {
    fn write(workspace_id: DbId, it: &UnparsedRequest) -> Self {
        Self {
            workspace_id,
            id: it.id.into(),
            channel_id: it.channel.into(),
            received_at: it.received_at.into(),
            reason: it.reason.clone(),
            size: it.size,
            body: it.body.clone(),
        }
    }

    fn read(self) -> UnparsedRequest {
        UnparsedRequest {
            id: self.id.to_typed_id(),
            channel: self.channel_id.to_typed_id(),
            received_at: self.received_at.0,
            reason: self.reason,
            size: self.size,
            body: self.body,
        }
    }
}

/// Keeps a request, and deletes older requests of its channel over the limit. Usually that is one.
pub(crate) async fn keep(c: &mut Connection<'_>, ws: DbId, it: &UnparsedRequest) -> Result<(), Fault> {
    write::insert(c, &[UnparsedRow::write(ws, it)]).await?;
    let beyond: Vec<DbId> = load!(
        c,
        unparsed_requests::table
            .filter(unparsed_requests::workspace_id.eq_unindexed(ws))
            .filter(unparsed_requests::channel_id.eq(DbId::from(it.channel)))
            .order((unparsed_requests::received_at.desc(), unparsed_requests::id.desc()))
            .limit(MAX_UNPARSED)
            .offset(MAX_UNPARSED)
            .select(unparsed_requests::id)
    )?;
    for id in beyond {
        execute!(c, diesel::delete(unparsed_requests::table.find((ws, id))))?;
    }
    Ok(())
}

/// Deletes the requests of the channels on which a contact has or had an address, because they may be about the contact.
pub(crate) async fn forget(c: &mut Connection<'_>, ws: DbId, contact: DbId) -> Result<(), Fault> {
    let channels: Vec<DbId> = load!(
        c,
        contact_identities::table
            .filter(contact_identities::workspace_id.eq(ws))
            .filter(contact_identities::contact_id.eq(contact))
            .select(contact_identities::channel_id)
    )?;
    for channel in channels {
        remove(c, ws, channel).await?;
    }
    Ok(())
}

/// Deletes the requests of a channel.
pub(super) async fn remove(c: &mut Connection<'_>, ws: DbId, channel: DbId) -> Result<(), Fault> {
    let kept = unparsed_requests::table
        .filter(unparsed_requests::channel_id.eq(channel))
        .filter(unparsed_requests::workspace_id.eq_unindexed(ws));
    execute!(c, diesel::delete(kept)).map(|_| ())
}

/// Deletes at most `limit` requests that were received before `before`, oldest first.
pub(crate) async fn expire(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let old: Vec<(DbId, DbId)> = load!(
        c,
        unparsed_requests::table
            .filter(unparsed_requests::received_at.lt(DbTime(before)))
            .order(unparsed_requests::received_at.asc())
            .limit(i64::from(limit))
            .select((unparsed_requests::workspace_id, unparsed_requests::id))
    )?;
    let mut removed = 0;
    for key in old {
        removed += execute!(c, diesel::delete(unparsed_requests::table.find(key)))? as u64;
    }
    Ok(removed)
}

/// Returns a page of the requests of a channel.
pub(super) async fn of_channel(
    c: &mut Connection<'_>,
    ws: DbId,
    channel: DbId,
    page: PageRequest,
) -> Result<Page<UnparsedRequest>, Fault> {
    let (rows, total): (Vec<UnparsedRow>, _) =
        counted_page!(c, page, (unparsed_requests::received_at, unparsed_requests::id), {
            let query = unparsed_requests::table
                .filter(unparsed_requests::workspace_id.eq_unindexed(ws))
                .filter(unparsed_requests::channel_id.eq(channel))
                .select(UnparsedRow::as_select());
            query.into_boxed::<Db>()
        });
    let found = rows.into_iter().map(UnparsedRow::read).collect();
    Ok(Page::cut(found, page.limit, place_of).of_total(total))
}

/// Returns a page of the requests of all channels of a workspace.
pub(super) async fn of_workspace(
    c: &mut Connection<'_>,
    ws: DbId,
    page: PageRequest,
) -> Result<Page<UnparsedRequest>, Fault> {
    let (rows, total): (Vec<UnparsedRow>, _) =
        counted_page!(c, page, (unparsed_requests::received_at, unparsed_requests::id), {
            let query = unparsed_requests::table
                .filter(unparsed_requests::workspace_id.eq(ws))
                .filter(ListIndex(unparsed_requests::reason.ne("")))
                .select(UnparsedRow::as_select());
            query.into_boxed::<Db>()
        });
    let found = rows.into_iter().map(UnparsedRow::read).collect();
    Ok(Page::cut(found, page.limit, place_of).of_total(total))
}

fn place_of(it: &UnparsedRequest) -> Position {
    Position { at: it.received_at, id: it.id.uuid() }
}

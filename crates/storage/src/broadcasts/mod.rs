//! Broadcasts, their recipients and their counters.

use std::ops::Range;

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::broadcasts::{
    Audience, Broadcast, BroadcastRecipient, BroadcastStatus, BroadcastZone, Count, RecipientStatus, WaitingRecipient,
};
use tidings_domain::conversations::Content;
use tidings_domain::ids::{BroadcastId, TypedId};
use tidings_domain::list_filter::ListFilter;
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{BroadcastQueries, StoreError};
use tidings_domain::read::Input;
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, counted_page, execute, find, load};
use crate::queries::list_index::whole_list;
use crate::queries::named_lists::{by_name_and_status, narrowed};
use crate::queries::rows::{bindings, json, to_bindings, to_json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{broadcast_counts, broadcast_recipients, broadcasts};

mod freeze;
mod outcomes;
mod recipients;
pub(crate) mod staging;
mod unreached;

pub(crate) use freeze::{Frozen, freeze};
use outcomes::outcome_counts;
pub(crate) use outcomes::{METRIC, add_counts, close_settled, dimension, over_time, require_open};
pub(crate) use recipients::{SettledRecipient, finish, settle};
pub(crate) use unreached::ChooseUnreached;

/// Deletes recipients of the broadcast that ended first in the given period and has any. Returns the instant where the
/// next call continues.
pub(crate) async fn expire(
    c: &mut Connection<'_>,
    from: Timestamp,
    before: Timestamp,
    limit: u32,
) -> Result<Option<Timestamp>, Fault> {
    let of_broadcast = broadcast_recipients::table
        .filter(broadcast_recipients::workspace_id.eq(broadcasts::workspace_id))
        .filter(broadcast_recipients::broadcast_id.eq(broadcasts::id));
    let old: Option<(DbId, DbId, Option<DbTime>)> = find!(
        c,
        broadcasts::table
            .filter(broadcasts::ended_at.ge(DbTime(from)))
            .filter(broadcasts::ended_at.lt(DbTime(before)))
            .filter(diesel::dsl::exists(of_broadcast))
            .order(broadcasts::ended_at.asc())
            .select((broadcasts::workspace_id, broadcasts::id, broadcasts::ended_at))
            .limit(1)
    )?;
    let Some((ws, broadcast, ended_at)) = old else { return Ok(None) };
    let contacts: Vec<DbId> = load!(
        c,
        broadcast_recipients::table
            .filter(broadcast_recipients::workspace_id.eq(ws))
            .filter(broadcast_recipients::broadcast_id.eq(broadcast))
            .limit(i64::from(limit))
            .select(broadcast_recipients::contact_id)
    )?;
    for contact in contacts {
        execute!(c, diesel::delete(broadcast_recipients::table.find((ws, broadcast, contact))))?;
    }
    Ok(ended_at.map(|it| it.0))
}

crate::write::write_texts! { BroadcastRow: crate::write::Shape::of("broadcasts") }

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = broadcasts)]
    pub(crate) struct BroadcastRow in broadcasts {
        workspace_id: DbId,
        id: DbId,
        name: String,
        audience: String,
        bindings: Option<String>,
        message: String,
        channel_id: Option<DbId>,
        scheduled_at: Option<DbTime>,
        time_zone: String,
        rate_per_minute: Option<i64>,
        repeats: Option<DbId>,
        status: String,
        error: Option<String>,
        round: i64,
        /// Written by the freeze of the audience.
        targeted: i64 = kept,
        started_at: Option<DbTime>,
        ended_at: Option<DbTime>,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
    }
}

impl BroadcastRow {
    pub(crate) fn write(workspace_id: DbId, it: &Broadcast) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            name: it.name.clone(),
            audience: to_json(&it.audience.source_json())?,
            // A segment has no bindings.
            bindings: it.audience.condition().map_or_else(|| Ok(Some("{}".to_owned())), to_bindings)?,
            message: to_json(&tidings_domain::broadcasts::content_json(&it.message))?,
            channel_id: it.channel.map(Into::into),
            scheduled_at: it.scheduled_at.map(Into::into),
            time_zone: it.time_zone.as_str().to_owned(),
            rate_per_minute: it.rate_per_minute,
            repeats: it.repeats.map(Into::into),
            status: it.status.as_str().to_owned(),
            error: it.error.as_ref().map(to_json).transpose()?,
            round: it.round,
            targeted: it.targeted,
            started_at: it.started_at.map(Into::into),
            ended_at: it.ended_at.map(Into::into),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }

    fn read(self) -> Result<Broadcast, Fault> {
        let corrupt = |what: &str| StoreError::Corrupt(format!("the {what} of a broadcast"));
        let (audience, message): (serde_json::Value, serde_json::Value) =
            (json(&self.audience, "an audience")?, json(&self.message, "a broadcast's message")?);
        let time = |time: Option<DbTime>| time.map(|time| time.0);
        Ok(Broadcast {
            id: self.id.to_typed_id(),
            name: self.name,
            audience: Audience::stored(Input::from(&audience), bindings(self.bindings.as_deref())?)
                .map_err(|_| corrupt("audience"))?,
            message: Content::parse(&message).map_err(|_| corrupt("message"))?,
            channel: self.channel_id.map(DbId::to_typed_id),
            scheduled_at: time(self.scheduled_at),
            time_zone: word(&self.time_zone, "broadcast zone", BroadcastZone::parse)?,
            rate_per_minute: self.rate_per_minute,
            repeats: self.repeats.map(DbId::to_typed_id),
            status: word(&self.status, "broadcast status", BroadcastStatus::parse)?,
            error: self.error.map(|error| json(&error, "a broadcast's error")).transpose()?,
            round: self.round,
            targeted: self.targeted,
            started_at: time(self.started_at),
            ended_at: time(self.ended_at),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[async_trait]
impl BroadcastQueries for Storage {
    async fn get(&self, access: &Access, broadcast: BroadcastId) -> Result<Option<Broadcast>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(broadcast));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<BroadcastRow> =
                    find!(&mut c, broadcasts::table.find((ws, id)).select(BroadcastRow::as_select()))?;
                row.map(BroadcastRow::read).transpose()
            })
        })
        .await
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<BroadcastStatus>,
        page: PageRequest,
    ) -> Result<Page<Broadcast>, StoreError> {
        let ws = DbId::from(access.workspace());
        if filter.narrows() {
            let admits = by_name_and_status(filter.clone(), "broadcast status", BroadcastStatus::parse);
            let all =
                broadcasts::table.filter(broadcasts::workspace_id.eq(ws)).filter(whole_list(broadcasts::updated_at));
            let told = (broadcasts::name, broadcasts::status);
            return narrowed!(
                self,
                ws,
                page,
                broadcasts,
                BroadcastRow::as_select(),
                all,
                told,
                admits,
                BroadcastRow::read
            );
        }
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<BroadcastRow>, _) =
                    counted_page!(&mut c, page, (broadcasts::created_at, broadcasts::id), {
                        let query = broadcasts::table.filter(broadcasts::workspace_id.eq(ws));
                        let query = query.select(BroadcastRow::as_select()).into_boxed::<Db>();
                        query.filter(whole_list(broadcasts::updated_at))
                    });
                let found = rows.into_iter().map(BroadcastRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }

    async fn counts(&self, access: &Access, ids: &[BroadcastId]) -> Result<Vec<(BroadcastId, Count, i64)>, StoreError> {
        let ws = DbId::from(access.workspace());
        let ids: Vec<DbId> = ids.iter().copied().map(DbId::from).collect();
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<(DbId, String, i64)> = load!(
                    cached_on_postgres,
                    &mut c,
                    broadcast_counts::table
                        .filter(broadcast_counts::workspace_id.eq(ws))
                        .filter(broadcast_counts::broadcast_id.eq_any(ids))
                        .select((broadcast_counts::broadcast_id, broadcast_counts::what, broadcast_counts::amount))
                )?;
                let read = |(id, what, amount): (DbId, String, i64)| Ok((id.to_typed_id(), counts_as(&what)?, amount));
                rows.into_iter().map(read).collect()
            })
        })
        .await
    }

    async fn outcome_counts(&self, access: &Access, broadcast: BroadcastId) -> Result<Vec<(Count, i64)>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(broadcast));
        self.read_as_one(ws, move |mut c| Box::pin(async move { outcome_counts(&mut c, ws, id).await })).await
    }

    async fn waiting(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        places: Range<i64>,
        limit: u32,
    ) -> Result<Vec<WaitingRecipient>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(broadcast));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<(DbId, i64, DbTime)> = load!(
                    &mut c,
                    broadcast_recipients::table
                        .filter(broadcast_recipients::workspace_id.eq_unindexed(ws))
                        .filter(broadcast_recipients::broadcast_id.eq(id))
                        .filter(broadcast_recipients::place.ge(places.start))
                        .filter(broadcast_recipients::place.lt(places.end))
                        .filter(broadcast_recipients::status.eq_unindexed(WAITING))
                        .order((broadcast_recipients::broadcast_id.asc(), broadcast_recipients::place.asc()))
                        .limit(i64::from(limit))
                        .select((
                            broadcast_recipients::contact_id,
                            broadcast_recipients::place,
                            broadcast_recipients::due_at
                        ))
                )?;
                let read = |(contact, place, due_at): (DbId, i64, DbTime)| WaitingRecipient {
                    contact: contact.to_typed_id(),
                    place,
                    due_at: due_at.0,
                };
                Ok(rows.into_iter().map(read).collect())
            })
        })
        .await
    }
    async fn recipients(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        status: Option<RecipientStatus>,
        page: PageRequest,
    ) -> Result<Page<BroadcastRecipient>, StoreError> {
        let key = (DbId::from(access.workspace()), DbId::from(broadcast));
        self.read(key.0, move |mut c| Box::pin(async move { recipients::list(&mut c, key, status, page).await })).await
    }
}

fn counts_as(what: &str) -> Result<Count, Fault> {
    word(what, "count of broadcasts", Count::parse)
}

/// The status of a recipient without a message or result.
const WAITING: &str = "waiting";
/// The status that the previous release writes for every recipient with a message.
const DONE: &str = "done";

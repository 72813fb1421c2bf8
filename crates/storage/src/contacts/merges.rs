//! Merges of contacts: rows of one contact move to another in batches.

mod messages;

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::contacts::Contact;
use tidings_domain::ids::{ContactId, MessageId};
use tidings_domain::merges::Merge;
use tidings_domain::ports::{Conflict, MergeQueries, Object, StoreError};
use tidings_domain::time::Timestamp;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, is_found, load};
use crate::conversations::media;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{contact_merges, custom_events, enrollments, events, flow_runs};
use crate::{Storage, contacts};

/// Empties a contact with its related rows and records the merge. Earlier merges into this contact now lead to the new
/// one.
pub(crate) async fn begin(c: &mut Connection<'_>, ws: DbId, contact: &Contact, it: &Merge) -> Result<(), Fault> {
    let (id, into) = (DbId::from(contact.id), DbId::from(it.into));
    contacts::empty(c, ws, contact).await?;
    let led_here = contact_merges::table
        .filter(contact_merges::workspace_id.eq_unindexed(ws))
        .filter(contact_merges::into_id.eq(id));
    execute!(c, diesel::update(led_here).set(contact_merges::into_id.eq(into)))?;
    let noted = (
        contact_merges::workspace_id.eq(ws),
        contact_merges::contact_id.eq(id),
        contact_merges::into_id.eq(into),
        contact_merges::merged_at.eq(DbTime(it.merged_at)),
        contact_merges::moved_at.eq(it.moved_at.map(DbTime)),
    );
    execute!(c, diesel::insert_into(contact_merges::table).values(noted)).map(|_| ())
}

pub(crate) async fn end(c: &mut Connection<'_>, ws: DbId, contact: ContactId, at: Timestamp) -> Result<(), Fault> {
    let target = contact_merges::table.find((ws, DbId::from(contact)));
    execute!(c, diesel::update(target).set(contact_merges::moved_at.eq(DbTime(at)))).map(|_| ())
}

/// Moves about `limit` rows of each table. The row of the merge is locked: the remaining contact cannot be merged
/// before the rows have moved.
pub(crate) async fn move_part(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    into: ContactId,
    limit: u32,
    at: Timestamp,
) -> Result<(), Fault> {
    let (of, to, room) = (DbId::from(contact), DbId::from(into), i64::from(limit));
    let leads = contact_merges::table.find((ws, of)).filter(contact_merges::into_id.eq_unindexed(to));
    if execute!(c, diesel::update(leads).set(contact_merges::moved_at.eq(None::<DbTime>)))? == 0 {
        return Err(Conflict::Stale(Object::Contact(contact)).into());
    }
    let some: Vec<DbId> = load!(
        c,
        events::table
            .filter(events::workspace_id.eq_unindexed(ws))
            .filter(events::contact_id.eq(of))
            .order((events::at.asc(), events::id.asc()))
            .limit(room)
            .select(events::id)
    )?;
    if !some.is_empty() {
        let target = events::table.filter(events::workspace_id.eq(ws)).filter(events::id.eq_any(some));
        execute!(cached_on_postgres, c, diesel::update(target).set(events::contact_id.eq(to)))?;
    }
    let some: Vec<DbId> = load!(
        c,
        custom_events::table
            .filter(custom_events::workspace_id.eq_unindexed(ws))
            .filter(custom_events::contact_id.eq(of))
            .order((custom_events::at.asc(), custom_events::id.asc()))
            .limit(room)
            .select(custom_events::id)
    )?;
    if !some.is_empty() {
        let target =
            custom_events::table.filter(custom_events::workspace_id.eq(ws)).filter(custom_events::id.eq_any(some));
        execute!(cached_on_postgres, c, diesel::update(target).set(custom_events::contact_id.eq(to)))?;
    }
    let some: Vec<DbId> = load!(
        c,
        flow_runs::table
            .filter(flow_runs::workspace_id.eq_unindexed(ws))
            .filter(flow_runs::contact_id.eq(of))
            .order((flow_runs::started_at.asc(), flow_runs::id.asc()))
            .limit(room)
            .select(flow_runs::id)
    )?;
    if !some.is_empty() {
        let target = flow_runs::table.filter(flow_runs::workspace_id.eq(ws)).filter(flow_runs::id.eq_any(some));
        let moved = (
            flow_runs::contact_id.eq(to),
            flow_runs::updated_at.eq(DbTime(at)),
            flow_runs::version.eq(flow_runs::version + 1),
        );
        execute!(cached_on_postgres, c, diesel::update(target).set(moved))?;
    }
    move_enrollments(c, ws, of, to, room, at).await?;
    media::move_of(c, ws, of, to, room).await?;
    messages::move_part(c, ws, of, to, room, at).await
}

/// Moved enrollments are numbered after those that the contact already has in the same sequence.
async fn move_enrollments(
    c: &mut Connection<'_>,
    ws: DbId,
    of: DbId,
    to: DbId,
    room: i64,
    at: Timestamp,
) -> Result<(), Fault> {
    let moving: Vec<(DbId, DbId)> = load!(
        c,
        enrollments::table
            .filter(enrollments::workspace_id.eq_unindexed(ws))
            .filter(enrollments::contact_id.eq(of))
            .order((enrollments::started_at.asc(), enrollments::id.asc()))
            .limit(room)
            .select((enrollments::id, enrollments::sequence_id))
    )?;
    for (id, sequence) in moving {
        let last: Option<i64> = find!(
            c,
            enrollments::table
                .filter(enrollments::workspace_id.eq_unindexed(ws))
                .filter(enrollments::contact_id.eq(to))
                .filter(enrollments::sequence_id.eq(sequence))
                .order(enrollments::number.desc())
                .limit(1)
                .select(enrollments::number)
        )?;
        let moved = (
            enrollments::contact_id.eq(to),
            enrollments::number.eq(last.unwrap_or(0) + 1),
            enrollments::updated_at.eq(DbTime(at)),
            enrollments::version.eq(enrollments::version + 1),
        );
        execute!(c, diesel::update(enrollments::table.find((ws, id))).set(moved))?;
    }
    Ok(())
}

async fn is_left(c: &mut Connection<'_>, ws: DbId, of: DbId, to: DbId) -> Result<bool, Fault> {
    let own = events::table.filter(events::workspace_id.eq_unindexed(ws)).filter(events::contact_id.eq(of));
    let custom = custom_events::table
        .filter(custom_events::workspace_id.eq_unindexed(ws))
        .filter(custom_events::contact_id.eq(of));
    let runs = flow_runs::table.filter(flow_runs::workspace_id.eq_unindexed(ws)).filter(flow_runs::contact_id.eq(of));
    let enrolled =
        enrollments::table.filter(enrollments::workspace_id.eq_unindexed(ws)).filter(enrollments::contact_id.eq(of));
    Ok(is_found(find!(c, own.select(events::id).limit(1))?)
        || is_found(find!(c, custom.select(custom_events::id).limit(1))?)
        || is_found(find!(c, runs.select(flow_runs::id).limit(1))?)
        || is_found(find!(c, enrolled.select(enrollments::id).limit(1))?)
        || media::are_left(c, ws, of).await?
        || messages::are_left(c, ws, of, to).await?)
}

type Noted = (DbId, DbId, DbTime, Option<DbTime>);

fn read((contact, into, merged_at, moved_at): Noted) -> Merge {
    let moved_at = moved_at.map(|at| at.0);
    Merge { contact: contact.to_typed_id(), into: into.to_typed_id(), merged_at: merged_at.0, moved_at }
}

#[async_trait]
impl MergeQueries for Storage {
    async fn get(&self, access: &Access, contact: ContactId) -> Result<Option<Merge>, StoreError> {
        let key = (DbId::from(access.workspace()), DbId::from(contact));
        self.read(key.0, move |mut c| {
            Box::pin(async move {
                let noted = (
                    contact_merges::contact_id,
                    contact_merges::into_id,
                    contact_merges::merged_at,
                    contact_merges::moved_at,
                );
                let found: Option<Noted> = find!(&mut c, contact_merges::table.find(key).select(noted))?;
                Ok(found.map(read))
            })
        })
        .await
    }

    async fn merged_into(&self, access: &Access, into: ContactId, limit: u32) -> Result<Vec<Merge>, StoreError> {
        let (ws, into) = (DbId::from(access.workspace()), DbId::from(into));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let noted = (
                    contact_merges::contact_id,
                    contact_merges::into_id,
                    contact_merges::merged_at,
                    contact_merges::moved_at,
                );
                let found: Vec<Noted> = load!(
                    &mut c,
                    contact_merges::table
                        .filter(contact_merges::workspace_id.eq_unindexed(ws))
                        .filter(contact_merges::into_id.eq(into))
                        .order(contact_merges::contact_id.asc())
                        .limit(i64::from(limit))
                        .select(noted)
                )?;
                Ok(found.into_iter().map(read).collect())
            })
        })
        .await
    }

    async fn is_left(&self, access: &Access, contact: ContactId, into: ContactId) -> Result<bool, StoreError> {
        let (ws, of, to) = (DbId::from(access.workspace()), DbId::from(contact), DbId::from(into));
        self.read(ws, move |mut c| Box::pin(async move { is_left(&mut c, ws, of, to).await })).await
    }

    async fn is_sending(&self, access: &Access, contact: ContactId, into: ContactId) -> Result<bool, StoreError> {
        let (ws, of, to) = (DbId::from(access.workspace()), DbId::from(contact), DbId::from(into));
        self.read(ws, move |mut c| Box::pin(async move { messages::are_sending(&mut c, ws, of, to).await })).await
    }

    async fn unsettled(
        &self,
        access: &Access,
        contact: ContactId,
        into: ContactId,
    ) -> Result<Option<MessageId>, StoreError> {
        let (ws, of, to) = (DbId::from(access.workspace()), DbId::from(contact), DbId::from(into));
        let found = self.read(ws, move |mut c| Box::pin(async move { messages::unsettled(&mut c, ws, of, to).await }));
        Ok(found.await?.map(DbId::to_typed_id))
    }
}

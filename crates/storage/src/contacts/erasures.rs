//! Erasure of a contact's data in batches.

mod answers;
mod events;

use async_trait::async_trait;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use tidings_domain::access::Access;
use tidings_domain::contacts::Contact;
use tidings_domain::conversations::MessageStatus;
use tidings_domain::erasures::Erasure;
use tidings_domain::ids::{ContactId, MessageId};
use tidings_domain::ports::{ErasureQueries, StoreError};
use tidings_domain::time::Timestamp;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, is_found, load};
use crate::conversations::{channels, media};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{contact_erasures, conversations, custom_events, enrollments, flow_runs, jobs, messages};
use crate::{Storage, contacts};

/// The condition that a run contains data about its contact.
const TELLS: &str = "(vars <> '{}' OR trace <> '[]' OR event IS NOT NULL OR error IS NOT NULL)";

/// Statuses of messages that are not sent yet.
const UNSENT: [MessageStatus; 2] = [MessageStatus::Queued, MessageStatus::Sending];

/// Empties a contact with its related rows and records the erasure.
pub(crate) async fn begin(c: &mut Connection<'_>, ws: DbId, contact: &Contact, it: &Erasure) -> Result<(), Fault> {
    let id = DbId::from(contact.id);
    channels::forget_unparsed(c, ws, id).await?;
    contacts::empty(c, ws, contact).await?;
    drop_dead_jobs(c, ws, id).await?;
    execute!(c, diesel::delete(contact_erasures::table.find((ws, id))))?;
    let noted = (
        contact_erasures::workspace_id.eq(ws),
        contact_erasures::contact_id.eq(id),
        contact_erasures::requested_at.eq(DbTime(it.requested_at)),
        contact_erasures::erased_at.eq(it.erased_at.map(DbTime)),
    );
    execute!(c, diesel::insert_into(contact_erasures::table).values(noted)).map(|_| ())
}

pub(crate) async fn end(c: &mut Connection<'_>, ws: DbId, contact: ContactId, at: Timestamp) -> Result<(), Fault> {
    let target = contact_erasures::table.find((ws, DbId::from(contact)));
    execute!(c, diesel::update(target).set(contact_erasures::erased_at.eq(DbTime(at)))).map(|_| ())
}

/// Deletes the contact's dead-lettered jobs with their errors. A workspace has few dead-lettered jobs.
async fn drop_dead_jobs(c: &mut Connection<'_>, ws: DbId, contact: DbId) -> Result<(), Fault> {
    let dead: Vec<(DbId, DbId, Option<DbId>)> = load!(
        c,
        jobs::table.filter(jobs::workspace_id.eq(ws)).filter(jobs::dead_at.is_not_null()).select((
            jobs::id,
            jobs::subject,
            jobs::lane
        ))
    )?;
    let mut about = Vec::new();
    for (job, subject, lane) in dead {
        let mut is_about = lane == Some(contact) || subject == contact;
        for id in [Some(subject), lane].into_iter().flatten() {
            is_about = is_about || owner(c, ws, id).await? == Some(contact);
        }
        about.extend(is_about.then_some(job));
    }
    for job in about {
        execute!(c, diesel::delete(jobs::table.find((ws, job))))?;
    }
    Ok(())
}

/// Returns the contact of a message, conversation, run, enrollment, custom event or event.
async fn owner(c: &mut Connection<'_>, ws: DbId, id: DbId) -> Result<Option<DbId>, Fault> {
    let mut found: Option<DbId> = find!(c, messages::table.find((ws, id)).select(messages::contact_id))?;
    if found.is_none() {
        found = find!(c, conversations::table.find((ws, id)).select(conversations::contact_id))?;
    }
    if found.is_none() {
        found = find!(c, flow_runs::table.find((ws, id)).select(flow_runs::contact_id))?;
    }
    if found.is_none() {
        found = find!(c, enrollments::table.find((ws, id)).select(enrollments::contact_id))?;
    }
    if found.is_none() {
        found = find!(c, custom_events::table.find((ws, id)).select(custom_events::contact_id))?;
    }
    if found.is_some() {
        return Ok(found);
    }
    events::contact_of(c, ws, id).await
}

/// Deletes about `limit` of the remaining rows.
pub(crate) async fn remove_part(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    limit: u32,
    at: Timestamp,
) -> Result<(), Fault> {
    let (id, mut room) = (DbId::from(contact), i64::from(limit));
    room -= events::erase(c, ws, id, room, at).await?;
    if room > 0 {
        room -= remove_messages(c, ws, id, room).await?;
    }
    if room > 0 {
        room -= remove_custom_events(c, ws, id, room).await?;
    }
    if room > 0 {
        room -= silence_runs(c, ws, id, room, at).await?;
    }
    if room > 0 {
        room -= media::remove_of(c, ws, id, room).await?;
    }
    if room > 0 {
        let told = enrollments::table
            .filter(enrollments::workspace_id.eq_unindexed(ws))
            .filter(enrollments::contact_id.eq(id))
            .filter(enrollments::error.is_not_null());
        execute!(c, diesel::update(told).set(enrollments::error.eq(None::<String>)))?;
        answers::remove(c, ws, contact, room).await?;
    }
    Ok(())
}

async fn conversations_with(c: &mut Connection<'_>, ws: DbId, contact: DbId) -> Result<Vec<DbId>, Fault> {
    load!(
        c,
        conversations::table
            .filter(conversations::workspace_id.eq_unindexed(ws))
            .filter(conversations::contact_id.eq(contact))
            .order(conversations::channel_id)
            .limit(1_000)
            .select(conversations::id)
    )
}

/// Returns the IDs and statuses of the oldest messages of a conversation, or of a contact without a conversation.
async fn oldest_messages(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: DbId,
    conversation: Option<DbId>,
    limit: i64,
) -> Result<Vec<(DbId, String)>, Fault> {
    match conversation {
        Some(conversation) => load!(
            c,
            messages::table
                .filter(messages::workspace_id.eq_unindexed(ws))
                .filter(messages::conversation_id.eq(conversation))
                .order((messages::created_at.asc(), messages::id.asc()))
                .limit(limit)
                .select((messages::id, messages::status))
        ),
        None => load!(
            c,
            messages::table
                .filter(messages::workspace_id.eq_unindexed(ws))
                .filter(messages::contact_id.eq(contact))
                .filter(messages::conversation_id.is_null())
                .order((messages::created_at.asc(), messages::id.asc()))
                .limit(limit)
                .select((messages::id, messages::status))
        ),
    }
}

/// Returns the queued and sending ones of the first `limit` messages, in the order of their deletion.
async fn unsent(c: &mut Connection<'_>, ws: DbId, contact: DbId, limit: i64) -> Result<Vec<DbId>, Fault> {
    let talks = conversations_with(c, ws, contact).await?;
    let (mut left, mut unsent) = (limit, Vec::new());
    for talk in talks.into_iter().map(Some).chain([None]) {
        if left <= 0 {
            break;
        }
        let said = oldest_messages(c, ws, contact, talk, left).await?;
        left -= i64::try_from(said.len()).unwrap_or(left);
        let is_open = |status: &str| UNSENT.iter().any(|it| it.as_str() == status);
        unsent.extend(said.into_iter().filter(|(_, status)| is_open(status)).map(|(id, _)| id));
    }
    Ok(unsent)
}

/// Deletes messages, and conversations without messages. Messages of broadcasts may have no conversation.
async fn remove_messages(c: &mut Connection<'_>, ws: DbId, contact: DbId, room: i64) -> Result<i64, Fault> {
    let mut removed = 0;
    for conversation in conversations_with(c, ws, contact).await? {
        let left = room - removed;
        if left <= 0 {
            break;
        }
        let said = oldest_messages(c, ws, contact, Some(conversation), left).await?;
        let number = i64::try_from(said.len()).unwrap_or(left);
        removed += number;
        if !said.is_empty() {
            let said: Vec<DbId> = said.into_iter().map(|(id, _)| id).collect();
            let target = messages::table.filter(messages::workspace_id.eq(ws)).filter(messages::id.eq_any(said));
            execute!(cached_on_postgres, c, diesel::delete(target))?;
        }
        if number < left {
            execute!(c, diesel::delete(conversations::table.find((ws, conversation))))?;
            removed += 1;
        }
    }
    let left = room - removed;
    if left > 0 {
        let said = oldest_messages(c, ws, contact, None, left).await?;
        removed += i64::try_from(said.len()).unwrap_or(left);
        if !said.is_empty() {
            let said: Vec<DbId> = said.into_iter().map(|(id, _)| id).collect();
            let target = messages::table.filter(messages::workspace_id.eq(ws)).filter(messages::id.eq_any(said));
            execute!(cached_on_postgres, c, diesel::delete(target))?;
        }
    }
    Ok(removed)
}

async fn remove_custom_events(c: &mut Connection<'_>, ws: DbId, contact: DbId, room: i64) -> Result<i64, Fault> {
    let told: Vec<DbId> = load!(
        c,
        custom_events::table
            .filter(custom_events::workspace_id.eq_unindexed(ws))
            .filter(custom_events::contact_id.eq(contact))
            .order((custom_events::at.asc(), custom_events::id.asc()))
            .limit(room)
            .select(custom_events::id)
    )?;
    let number = i64::try_from(told.len()).unwrap_or(room);
    if !told.is_empty() {
        let target =
            custom_events::table.filter(custom_events::workspace_id.eq(ws)).filter(custom_events::id.eq_any(told));
        execute!(cached_on_postgres, c, diesel::delete(target))?;
    }
    Ok(number)
}

/// Clears the personal data of runs. The runs remain for the counts of their flows.
async fn silence_runs(c: &mut Connection<'_>, ws: DbId, contact: DbId, room: i64, at: Timestamp) -> Result<i64, Fault> {
    let telling: Vec<DbId> = load!(
        c,
        flow_runs::table
            .filter(flow_runs::workspace_id.eq_unindexed(ws))
            .filter(flow_runs::contact_id.eq(contact))
            .filter(sql::<Bool>(TELLS))
            .order((flow_runs::started_at.asc(), flow_runs::id.asc()))
            .limit(room)
            .select(flow_runs::id)
    )?;
    for run in &telling {
        let target = flow_runs::table.find((ws, *run));
        let silent = (
            flow_runs::vars.eq("{}"),
            flow_runs::trace.eq("[]"),
            flow_runs::event.eq(None::<String>),
            flow_runs::error.eq(None::<String>),
            flow_runs::updated_at.eq(DbTime(at)),
            flow_runs::version.eq(flow_runs::version + 1),
        );
        execute!(c, diesel::update(target).set(silent))?;
    }
    Ok(i64::try_from(telling.len()).unwrap_or(room))
}

async fn is_left(c: &mut Connection<'_>, ws: DbId, contact: ContactId) -> Result<bool, Fault> {
    let id = DbId::from(contact);
    let told = custom_events::table
        .filter(custom_events::workspace_id.eq_unindexed(ws))
        .filter(custom_events::contact_id.eq(id));
    let runs = flow_runs::table
        .filter(flow_runs::workspace_id.eq_unindexed(ws))
        .filter(flow_runs::contact_id.eq(id))
        .filter(sql::<Bool>(TELLS));
    let enrolled = enrollments::table
        .filter(enrollments::workspace_id.eq_unindexed(ws))
        .filter(enrollments::contact_id.eq(id))
        .filter(enrollments::error.is_not_null());
    let alone = messages::table
        .filter(messages::workspace_id.eq_unindexed(ws))
        .filter(messages::contact_id.eq(id))
        .filter(messages::conversation_id.is_null());
    Ok(events::are_left(c, ws, id).await?
        || is_found(find!(c, alone.select(messages::id).limit(1))?)
        || !conversations_with(c, ws, id).await?.is_empty()
        || is_found(find!(c, told.select(custom_events::id).limit(1))?)
        || is_found(find!(c, runs.select(flow_runs::id).limit(1))?)
        || is_found(find!(c, enrolled.select(enrollments::id).limit(1))?)
        || media::are_left(c, ws, id).await?
        || answers::are_left(c, ws, contact).await?)
}

#[async_trait]
impl ErasureQueries for Storage {
    async fn get(&self, access: &Access, contact: ContactId) -> Result<Option<Erasure>, StoreError> {
        let key = (DbId::from(access.workspace()), DbId::from(contact));
        self.read(key.0, move |mut c| {
            Box::pin(async move {
                let found: Option<(DbTime, Option<DbTime>)> = find!(
                    &mut c,
                    contact_erasures::table
                        .find(key)
                        .select((contact_erasures::requested_at, contact_erasures::erased_at))
                )?;
                Ok(found.map(|(requested_at, erased_at)| Erasure {
                    contact,
                    requested_at: requested_at.0,
                    erased_at: erased_at.map(|at| at.0),
                }))
            })
        })
        .await
    }

    async fn is_left(&self, access: &Access, contact: ContactId) -> Result<bool, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { is_left(&mut c, ws, contact).await })).await
    }

    async fn unsent(&self, access: &Access, contact: ContactId, limit: u32) -> Result<Vec<MessageId>, StoreError> {
        let (ws, contact) = (DbId::from(access.workspace()), DbId::from(contact));
        let found = self
            .read(ws, move |mut c| Box::pin(async move { unsent(&mut c, ws, contact, i64::from(limit)).await }))
            .await?;
        Ok(found.into_iter().map(DbId::to_typed_id).collect())
    }
}

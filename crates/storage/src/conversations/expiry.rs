//! Deletion of old messages and of old resolved conversations, in all workspaces.

use std::collections::BTreeMap;

use diesel::dsl::{exists, not};
use diesel::prelude::*;
use tidings_domain::conversations::MessageStatus;
use tidings_domain::ids::MediaId;
use tidings_domain::ports::SweepPlace;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use super::media;
use super::rows::files_of;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::list_index::ListIndex;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{conversations, messages};

/// Statuses of messages that are not sent yet. They are never deleted.
const WAITING: [MessageStatus; 2] = [MessageStatus::Queued, MessageStatus::Sending];

/// Columns of a message that decide about its deletion, in this order.
type Candidate = (DbId, DbId, Option<DbId>, DbId, Option<String>, String, DbTime);

/// Examines at most `limit` old messages after `from`, and deletes those that may be deleted. Returns the place of the
/// last one, or `None` if no message is left.
pub(crate) async fn expire_messages(
    c: &mut Connection<'_>,
    from: SweepPlace,
    before: Timestamp,
    limit: u32,
) -> Result<Option<SweepPlace>, Fault> {
    let (at, id) = (DbTime(from.at), DbId(from.id));
    let old: Vec<Candidate> = load!(
        c,
        messages::table
            .filter(messages::created_at.ge(at))
            .filter(messages::created_at.lt(DbTime(before)))
            .filter(messages::created_at.gt(at).or(messages::id.gt(id)))
            .filter(ListIndex(messages::sender_kind.ne("")))
            .order((messages::created_at.asc(), messages::id.asc()))
            .limit(i64::from(limit))
            .select((
                messages::workspace_id,
                messages::id,
                messages::conversation_id,
                messages::contact_id,
                messages::parts,
                messages::status,
                messages::created_at,
            ))
    )?;
    let last = old.last().map(|(_, id, _, _, _, _, at)| SweepPlace { at: at.0, id: id.0 });
    let is_full = old.len() >= limit as usize;
    let waits = WAITING.map(MessageStatus::as_str);
    let settled: Vec<Candidate> = old.into_iter().filter(|it| !waits.contains(&it.5.as_str())).collect();
    let kept = last_of_unresolved(c, &settled).await?;
    for (ws, id, conversation, contact, parts, _, _) in settled {
        let last = conversation.and_then(|it| kept.get(&(ws.0, it.0)));
        if last != Some(&id) {
            remove(c, ws, (id, contact, parts)).await?;
        }
    }
    Ok(last.filter(|_| is_full))
}

/// Returns the last messages of the conversations of these messages that are not resolved, by workspace and
/// conversation. A resolved conversation whose last message is among these messages stays locked, so it is not reopened
/// before the deletion.
async fn last_of_unresolved(
    c: &mut Connection<'_>,
    among: &[Candidate],
) -> Result<BTreeMap<(Uuid, Uuid), DbId>, Fault> {
    let mut newest = BTreeMap::new();
    for (ws, id, conversation, ..) in among {
        if let Some(conversation) = conversation {
            newest.insert((ws.0, conversation.0), *id);
        }
    }
    let mut kept = BTreeMap::new();
    for ((ws, conversation), newest) in newest {
        let key = (DbId(ws), DbId(conversation));
        let last: Option<DbId> = find!(
            c,
            messages::table
                .filter(messages::workspace_id.eq_unindexed(key.0))
                .filter(messages::conversation_id.eq(key.1))
                .order((messages::created_at.desc(), messages::id.desc()))
                .limit(1)
                .select(messages::id)
        )?;
        if last == Some(newest) && lock_resolved(c, key).await?.is_none() {
            kept.insert((ws, conversation), newest);
        }
    }
    Ok(kept)
}

/// Locks a conversation that is resolved, until the end of the transaction. Returns the time of its resolution, or
/// `None` if it is not resolved.
async fn lock_resolved(c: &mut Connection<'_>, key: (DbId, DbId)) -> Result<Option<Timestamp>, Fault> {
    let resolved = conversations::table.find(key).filter(conversations::resolved_at.is_not_null());
    let same = conversations::version.eq(conversations::version);
    if execute!(c, diesel::update(resolved).set(same))? == 0 {
        return Ok(None);
    }
    let at: Option<Option<DbTime>> = find!(c, conversations::table.find(key).select(conversations::resolved_at))?;
    Ok(at.flatten().map(|at| at.0))
}

/// Deletes a message. Its files become unused, unless another message of the contact uses them.
async fn remove(
    c: &mut Connection<'_>,
    ws: DbId,
    (id, contact, parts): (DbId, DbId, Option<String>),
) -> Result<(), Fault> {
    execute!(c, diesel::delete(messages::table.find((ws, id))))?;
    for file in parts.as_deref().map(files_of).transpose()?.unwrap_or_default() {
        release(c, ws, file, (id, contact)).await?;
    }
    Ok(())
}

/// Records that a message with a contact does not use a file. It becomes unused unless another message with the contact
/// uses it.
pub(crate) async fn release(
    c: &mut Connection<'_>,
    ws: DbId,
    file: MediaId,
    (message, contact): (DbId, DbId),
) -> Result<(), Fault> {
    media::lock(c, ws, file).await?;
    if is_used(c, ws, (message, contact), file).await? {
        return Ok(());
    }
    media::release(c, ws, file, contact).await
}

/// Whether another message with the contact mentions a file.
async fn is_used(
    c: &mut Connection<'_>,
    ws: DbId,
    (message, contact): (DbId, DbId),
    file: MediaId,
) -> Result<bool, Fault> {
    let pattern = format!("%{file}%");
    let with: Vec<DbId> = load!(
        c,
        conversations::table
            .filter(conversations::workspace_id.eq_unindexed(ws))
            .filter(conversations::contact_id.eq(contact))
            .order(conversations::channel_id)
            .select(conversations::id)
    )?;
    for conversation in with {
        let found: Option<DbId> = find!(
            c,
            messages::table
                .filter(messages::workspace_id.eq_unindexed(ws))
                .filter(messages::conversation_id.eq(conversation))
                .filter(messages::id.ne(message))
                .filter(messages::parts.like(pattern.clone()))
                .limit(1)
                .select(messages::id)
        )?;
        if found.is_some() {
            return Ok(true);
        }
    }
    let alone: Option<DbId> = find!(
        c,
        messages::table
            .filter(messages::workspace_id.eq_unindexed(ws))
            .filter(messages::contact_id.eq(contact))
            .filter(messages::conversation_id.is_null())
            .filter(messages::id.ne(message))
            .filter(messages::parts.like(pattern))
            .limit(1)
            .select(messages::id)
    )?;
    Ok(alone.is_some())
}

/// Deletes at most `limit` rows: conversations that were resolved before `before`, and before each its messages.
/// Conversations with messages that are not sent yet remain. Returns the number of rows.
pub(crate) async fn expire_conversations(c: &mut Connection<'_>, before: Timestamp, limit: u32) -> Result<u64, Fault> {
    let [queued, sending] = WAITING.map(MessageStatus::as_str);
    let waiting = messages::table
        .filter(messages::workspace_id.eq_unindexed(conversations::workspace_id))
        .filter(messages::conversation_id.eq(conversations::id.nullable()))
        .filter(messages::status.eq(queued).or(messages::status.eq(sending)));
    let over: Vec<(DbId, DbId)> = load!(
        c,
        conversations::table
            .filter(conversations::resolved_at.lt(DbTime(before)))
            .filter(not(exists(waiting)))
            .order(conversations::resolved_at.asc())
            .limit(i64::from(limit))
            .select((conversations::workspace_id, conversations::id))
    )?;
    let mut room = i64::from(limit);
    for key in over {
        if lock_resolved(c, key).await?.is_none_or(|at| at >= before) {
            continue;
        }
        room -= remove_messages_of(c, key, room).await?;
        if room == 0 {
            break;
        }
        execute!(c, diesel::delete(conversations::table.find(key)))?;
        room -= 1;
        if room == 0 {
            break;
        }
    }
    Ok(u64::try_from(i64::from(limit) - room).unwrap_or_default())
}

/// Deletes at most `room` messages of a conversation, oldest first. Returns their number.
async fn remove_messages_of(c: &mut Connection<'_>, (ws, conversation): (DbId, DbId), room: i64) -> Result<i64, Fault> {
    let said: Vec<(DbId, DbId, Option<String>)> = load!(
        c,
        messages::table
            .filter(messages::workspace_id.eq_unindexed(ws))
            .filter(messages::conversation_id.eq(conversation))
            .order((messages::created_at.asc(), messages::id.asc()))
            .limit(room)
            .select((messages::id, messages::contact_id, messages::parts))
    )?;
    let number = i64::try_from(said.len()).unwrap_or(room);
    for message in said {
        remove(c, ws, message).await?;
    }
    Ok(number)
}

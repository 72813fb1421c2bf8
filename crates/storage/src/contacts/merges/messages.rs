//! Conversations and messages of merged contacts. A queued or sending message does not move before it is settled.

use diesel::prelude::*;
use tidings_domain::conversations::MessageStatus;
use tidings_domain::time::Timestamp;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{conversations, messages};

type Talk = (DbId, DbId);

async fn talks(c: &mut Connection<'_>, ws: DbId, contact: DbId) -> Result<Vec<Talk>, Fault> {
    load!(
        c,
        conversations::table
            .filter(conversations::workspace_id.eq_unindexed(ws))
            .filter(conversations::contact_id.eq(contact))
            .order(conversations::channel_id)
            .limit(1_000)
            .select((conversations::id, conversations::channel_id))
    )
}

/// Returns at most `room` settled messages of a contact, in a conversation or in none.
async fn settled_messages(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: DbId,
    talk: Option<DbId>,
    room: i64,
) -> Result<Vec<DbId>, Fault> {
    let is_not_queued = messages::status.ne(MessageStatus::Queued.as_str());
    // Settled messages will not be sent.
    let is_settled = is_not_queued.and(messages::status.ne(MessageStatus::Sending.as_str()));
    match talk {
        Some(talk) => load!(
            c,
            messages::table
                .filter(messages::workspace_id.eq_unindexed(ws))
                .filter(messages::conversation_id.eq(talk))
                .filter(messages::contact_id.eq_unindexed(contact))
                .filter(is_settled)
                .order((messages::created_at.asc(), messages::id.asc()))
                .limit(room)
                .select(messages::id)
        ),
        None => load!(
            c,
            messages::table
                .filter(messages::workspace_id.eq_unindexed(ws))
                .filter(messages::contact_id.eq(contact))
                .filter(messages::conversation_id.is_null())
                .filter(is_settled)
                .order((messages::created_at.asc(), messages::id.asc()))
                .limit(room)
                .select(messages::id)
        ),
    }
}

/// Moves about `room` messages, and conversations with no other messages left.
pub(super) async fn move_part(
    c: &mut Connection<'_>,
    ws: DbId,
    of: DbId,
    to: DbId,
    mut room: i64,
    at: Timestamp,
) -> Result<(), Fault> {
    for (talk, channel) in talks(c, ws, of).await? {
        let kept: Option<DbId> = find!(
            c,
            conversations::table
                .filter(conversations::workspace_id.eq_unindexed(ws))
                .filter(conversations::contact_id.eq(to))
                .filter(conversations::channel_id.eq(channel))
                .select(conversations::id)
        )?;
        let Some(kept) = kept else {
            let moved = (
                conversations::contact_id.eq(to),
                conversations::updated_at.eq(DbTime(at)),
                conversations::version.eq(conversations::version + 1),
            );
            execute!(c, diesel::update(conversations::table.find((ws, talk))).set(moved))?;
            continue;
        };
        if room > 0 {
            let some = settled_messages(c, ws, of, Some(talk), room).await?;
            room -= give(c, ws, some, to, Some(kept), at).await?;
        }
        if !is_any_in(c, ws, talk).await? {
            execute!(c, diesel::delete(conversations::table.find((ws, talk))))?;
        }
    }
    let own = talks(c, ws, to).await?;
    for talk in own.iter().map(|(talk, _)| Some(*talk)).chain([None]) {
        if room <= 0 {
            break;
        }
        let some = settled_messages(c, ws, of, talk, room).await?;
        room -= give(c, ws, some, to, talk, at).await?;
    }
    Ok(())
}

/// Assigns messages to a contact and, if given, to a conversation.
async fn give(
    c: &mut Connection<'_>,
    ws: DbId,
    some: Vec<DbId>,
    to: DbId,
    talk: Option<DbId>,
    at: Timestamp,
) -> Result<i64, Fault> {
    let number = i64::try_from(some.len()).unwrap_or(i64::MAX);
    if some.is_empty() {
        return Ok(0);
    }
    let target = messages::table.filter(messages::workspace_id.eq(ws)).filter(messages::id.eq_any(some));
    let moved =
        (messages::contact_id.eq(to), messages::updated_at.eq(DbTime(at)), messages::version.eq(messages::version + 1));
    match talk {
        Some(talk) => {
            execute!(cached_on_postgres, c, diesel::update(target).set((messages::conversation_id.eq(talk), moved)))?
        }
        None => execute!(cached_on_postgres, c, diesel::update(target).set(moved))?,
    };
    Ok(number)
}

async fn is_any_in(c: &mut Connection<'_>, ws: DbId, talk: DbId) -> Result<bool, Fault> {
    let found: Option<DbId> = find!(
        c,
        messages::table
            .filter(messages::workspace_id.eq_unindexed(ws))
            .filter(messages::conversation_id.eq(talk))
            .select(messages::id)
            .limit(1)
    )?;
    Ok(found.is_some())
}

pub(super) async fn are_left(c: &mut Connection<'_>, ws: DbId, of: DbId, to: DbId) -> Result<bool, Fault> {
    let own = talks(c, ws, to).await?;
    for (talk, _) in talks(c, ws, of).await? {
        if !settled_messages(c, ws, of, Some(talk), 1).await?.is_empty() || !is_any_in(c, ws, talk).await? {
            return Ok(true);
        }
    }
    for talk in own.iter().map(|(talk, _)| Some(*talk)).chain([None]) {
        if !settled_messages(c, ws, of, talk, 1).await?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) async fn are_sending(c: &mut Connection<'_>, ws: DbId, of: DbId, to: DbId) -> Result<bool, Fault> {
    Ok(!talks(c, ws, of).await?.is_empty() || unsettled(c, ws, of, to).await?.is_some())
}

/// Returns a message of the contact that is not settled.
pub(super) async fn unsettled(c: &mut Connection<'_>, ws: DbId, of: DbId, to: DbId) -> Result<Option<DbId>, Fault> {
    let mut own = talks(c, ws, of).await?;
    own.extend(talks(c, ws, to).await?);
    for (talk, _) in own {
        let found: Option<DbId> = find!(
            c,
            messages::table
                .filter(messages::workspace_id.eq_unindexed(ws))
                .filter(messages::conversation_id.eq(talk))
                .filter(messages::contact_id.eq_unindexed(of))
                .select(messages::id)
                .limit(1)
        )?;
        if found.is_some() {
            return Ok(found);
        }
    }
    find!(
        c,
        messages::table
            .filter(messages::workspace_id.eq_unindexed(ws))
            .filter(messages::contact_id.eq(of))
            .filter(messages::conversation_id.is_null())
            .select(messages::id)
            .limit(1)
    )
}

//! The recipients of a broadcast: results and lists.

use diesel::prelude::*;
use tidings_domain::broadcasts::{BroadcastRecipient, RecipientMessage, RecipientResult, RecipientStatus};
use tidings_domain::conversations::MessageStatus;
use tidings_domain::ids::{BroadcastId, ContactId, MessageId};
use tidings_domain::pagination::{Order, Page, PageRequest};

use super::DONE;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, by_keys, load};
use crate::queries::rows::{json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{broadcast_recipients, messages};
use crate::write::{self, MissedRows};

crate::write::row! {
    /// A recipient with a result, and the ID of its message.
    #[derive(Debug, Clone)]
    pub(crate) struct SettledRecipient in broadcast_recipients {
        workspace_id: DbId,
        broadcast_id: DbId,
        contact_id: DbId,
        message_id: Option<DbId>,
        status: String,
        code: Option<String>,
    }
}

impl SettledRecipient {
    pub(crate) fn write(
        workspace_id: DbId,
        (broadcast, contact, message): (BroadcastId, ContactId, MessageId),
        result: &RecipientResult,
    ) -> Self {
        Self {
            workspace_id,
            broadcast_id: broadcast.into(),
            contact_id: contact.into(),
            message_id: Some(message.into()),
            status: result.status.as_str().to_owned(),
            code: result.code.clone(),
        }
    }

    pub(crate) fn broadcast(&self) -> BroadcastId {
        self.broadcast_id.to_typed_id()
    }
}

const FINISH_ON_POSTGRES: &str = "UPDATE broadcast_recipients AS t SET status = made.status, \
    message_id = made.message_id, code = made.code FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), \
    (SELECT $3::uuid[]), (SELECT $4::uuid[]), (SELECT $5::text[]), (SELECT $6::text[])) WITH ORDINALITY \
    AS made (workspace_id, broadcast_id, contact_id, message_id, status, code, n) CROSS JOIN LATERAL (SELECT f.ctid, f.status \
    FROM broadcast_recipients f WHERE f.workspace_id = made.workspace_id AND f.broadcast_id = made.broadcast_id \
    AND f.contact_id = made.contact_id LIMIT 1 FOR NO KEY UPDATE) AS found WHERE t.ctid = found.ctid \
    AND found.status = 'waiting' RETURNING made.n";
const FINISH_ON_SQLITE: &str = "UPDATE broadcast_recipients SET status = ?5, message_id = ?4, code = ?6 \
    WHERE workspace_id = ?1 AND broadcast_id = ?2 AND contact_id = ?3 AND status = 'waiting'";

/// Stores message IDs and results of waiting recipients. Returns the recipients that were not waiting.
pub(crate) async fn finish(c: &mut Connection<'_>, rows: &[SettledRecipient]) -> Result<MissedRows, Fault> {
    match c {
        Connection::Postgres(connection) => write::missed(connection, rows, FINISH_ON_POSTGRES).await,
        Connection::Sqlite(connection) => write::each(connection, rows, FINISH_ON_SQLITE),
    }
}

const SETTLE_ON_POSTGRES: &str = "UPDATE broadcast_recipients AS t SET status = made.status, code = made.code \
    FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::uuid[]), (SELECT $4::uuid[]), (SELECT $5::text[]), \
    (SELECT $6::text[])) AS made (workspace_id, broadcast_id, contact_id, message_id, status, code) \
    CROSS JOIN LATERAL (SELECT f.ctid, f.message_id FROM broadcast_recipients f WHERE f.workspace_id = made.workspace_id \
    AND f.broadcast_id = made.broadcast_id AND f.contact_id = made.contact_id LIMIT 1 FOR NO KEY UPDATE) AS found \
    WHERE t.ctid = found.ctid AND found.message_id = made.message_id";
const SETTLE_ON_SQLITE: &str = "UPDATE broadcast_recipients SET status = ?5, code = ?6 \
    WHERE workspace_id = ?1 AND broadcast_id = ?2 AND contact_id = ?3 AND message_id = ?4";

/// Stores results of recipients with these message IDs.
pub(crate) async fn settle(c: &mut Connection<'_>, rows: &[SettledRecipient]) -> Result<(), Fault> {
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, rows, SETTLE_ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, rows, SETTLE_ON_SQLITE).map(|_| ()),
    }
}

/// Returns a page of the recipients with this status, or of all, ordered by contact ID.
pub(super) async fn list(
    c: &mut Connection<'_>,
    (ws, broadcast): (DbId, DbId),
    status: Option<RecipientStatus>,
    page: PageRequest,
) -> Result<Page<BroadcastRecipient>, Fault> {
    let after = page.after.map(|after| DbId(after.id));
    let rows: Vec<(DbId, String, Option<String>, Option<DbId>)> = load!(c, {
        let query = broadcast_recipients::table
            .filter(broadcast_recipients::broadcast_id.eq(broadcast))
            .select((
                broadcast_recipients::contact_id,
                broadcast_recipients::status,
                broadcast_recipients::code,
                broadcast_recipients::message_id,
            ))
            .limit(i64::from(page.limit) + 1)
            .into_boxed::<Db>();
        // One status has its own index; a list of all statuses uses the primary key.
        let query = match status {
            Some(status) => query
                .filter(broadcast_recipients::workspace_id.eq_unindexed(ws))
                .filter(broadcast_recipients::status.eq(status.as_str())),
            None => query.filter(broadcast_recipients::workspace_id.eq(ws)),
        };
        let query = match (after, page.order) {
            (None, _) => query,
            (Some(after), Order::NewestFirst) => query.filter(broadcast_recipients::contact_id.lt(after)),
            (Some(after), Order::OldestFirst) => query.filter(broadcast_recipients::contact_id.gt(after)),
        };
        match page.order {
            Order::NewestFirst => query.order(broadcast_recipients::contact_id.desc()),
            Order::OldestFirst => query.order(broadcast_recipients::contact_id.asc()),
        }
    })?;
    let ids: Vec<DbId> = rows.iter().filter_map(|(.., message)| *message).collect();
    let messages = messages_of(c, ws, ids).await?;
    let found = rows.into_iter().map(|(contact, status, code, message)| {
        let message = message.and_then(|id| messages.iter().find(|it| DbId::from(it.id).0 == id.0)).cloned();
        let status = match (status.as_str(), &message) {
            (DONE, Some(message)) => RecipientStatus::of(message.status),
            (DONE, None) => RecipientStatus::Sent,
            (status, _) => word(status, "status of a recipient", RecipientStatus::parse)?,
        };
        Ok(BroadcastRecipient { contact: contact.to_typed_id(), result: RecipientResult { status, code }, message })
    });
    let found = found.collect::<Result<Vec<_>, Fault>>()?;
    Ok(Page::cut(found, page.limit, BroadcastRecipient::position))
}

async fn messages_of(c: &mut Connection<'_>, ws: DbId, ids: Vec<DbId>) -> Result<Vec<RecipientMessage>, Fault> {
    let keys: Vec<_> = ids.into_iter().map(|id| (ws, id)).collect();
    let rows: Vec<(DbId, DbId, String, Option<String>, DbTime)> = by_keys!(
        &mut *c,
        keys,
        messages::table.select((
            messages::id,
            messages::contact_id,
            messages::status,
            messages::error,
            messages::updated_at
        )),
        (messages::workspace_id, messages::id)
    )?;
    let read = |(id, contact, status, error, updated_at): (DbId, DbId, String, Option<String>, DbTime)| {
        Ok(RecipientMessage {
            id: id.to_typed_id(),
            contact: contact.to_typed_id(),
            status: word(&status, "message status", MessageStatus::parse)?,
            error: error.map(|error| json(&error, "the error of a message")).transpose()?,
            updated_at: updated_at.0,
        })
    };
    rows.into_iter().map(read).collect()
}

//! Conversations and messages.

mod adopting;
pub(crate) mod channels;
mod dispatches;
mod expiry;
mod index_filter;
mod lists;
pub(crate) mod media;
pub(crate) mod part_ids;
mod rows;
mod saved_replies;
mod stamps;

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use diesel_async::AsyncPgConnection;
use tidings_domain::access::{Access, Actor};
use tidings_domain::conversations::{
    Conversation, ConversationFilter, Direction, Dispatch, LONGEST_QUEUED, Message, MessageStatus, is_automatic,
    may_have_arrived,
};
use tidings_domain::ids::{ChannelId, ContactId, ConversationId, MessageId, TypedId};
use tidings_domain::pagination::{Page, PageRequest, Position, SortedPage, SortedRequest, Total};
use tidings_domain::ports::{ConversationQueries, StoreError};
use tidings_domain::time::Timestamp;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, counted_page, find, load};
use crate::queries::by_keys::ByKeys;
use crate::queries::loader::Found;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{conversations, messages};
use crate::{ReadMode, Storage};

pub(crate) use adopting::{Adopted, adopt};
pub(crate) use dispatches::find_all as find_dispatches;
pub(crate) use expiry::{expire_conversations, expire_messages, release as release_media};
pub(crate) use rows::{ConversationRow, MessageRow};
pub(crate) use stamps::{LastSeen, touch};

/// Must match the text of the index on channel usage.
const OUTBOUND: &str = "messages.direction = 'outbound'";

#[async_trait]
impl ConversationQueries for Storage {
    async fn get(&self, access: &Access, conversation: ConversationId) -> Result<Option<Conversation>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(conversation));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<ConversationRow> =
                    find!(&mut c, conversations::table.find((ws, id)).select(ConversationRow::as_select()))?;
                row.map(ConversationRow::read).transpose()
            })
        })
        .await
    }

    async fn between(
        &self,
        access: &Access,
        contact: ContactId,
        channel: ChannelId,
    ) -> Result<Option<Conversation>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read_row(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<ConversationRow> = find!(
                    &mut c,
                    conversations::table
                        .filter(conversations::workspace_id.eq_unindexed(ws))
                        .filter(conversations::contact_id.eq(DbId::from(contact)))
                        .filter(conversations::channel_id.eq(DbId::from(channel)))
                        .select(ConversationRow::as_select())
                )?;
                row.map(ConversationRow::read).transpose()
            })
        })
        .await
    }

    async fn between_all(
        &self,
        access: &Access,
        contacts: &[ContactId],
        channel: ChannelId,
    ) -> Result<Vec<Conversation>, StoreError> {
        let ws = DbId::from(access.workspace());
        let contacts: Vec<DbId> = contacts.iter().copied().map(DbId::from).collect();
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<ConversationRow> = load!(
                    cached_on_postgres,
                    &mut c,
                    conversations::table
                        .filter(conversations::workspace_id.eq_unindexed(ws))
                        .filter(conversations::contact_id.eq_any(contacts))
                        .filter(conversations::channel_id.eq(DbId::from(channel)))
                        .select(ConversationRow::as_select())
                )?;
                rows.into_iter().map(ConversationRow::read).collect()
            })
        })
        .await
    }

    async fn with(&self, access: &Access, contact: ContactId) -> Result<Vec<Conversation>, StoreError> {
        let key = (DbId::from(access.workspace()), DbId::from(contact));
        let mut found = self.loaders.conversations.load(&self.backend, key).await?.unwrap_or_default();
        last_used_first(&mut found);
        Ok(found)
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ConversationFilter,
        page: SortedRequest,
    ) -> Result<SortedPage<Conversation>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        let is_expensive = lists::is_free(&filter);
        let how = if is_expensive { ReadMode::Planner } else { ReadMode::Snapshot };
        self.read_at_cost(access, is_expensive, how, move |mut c| {
            Box::pin(async move { lists::page(&mut c, ws, &filter, &page).await })
        })
        .await
    }

    async fn counts(&self, access: &Access, filters: &[ConversationFilter]) -> Result<Vec<Total>, StoreError> {
        let (ws, filters) = (DbId::from(access.workspace()), filters.to_vec());
        let is_expensive = filters.iter().any(lists::is_free);
        let how = if is_expensive { ReadMode::Planner } else { ReadMode::Snapshot };
        self.read_at_cost(access, is_expensive, how, move |mut c| {
            Box::pin(async move {
                let mut totals = Vec::new();
                for filter in &filters {
                    totals.push(lists::count(&mut c, ws, filter).await?);
                }
                Ok(totals)
            })
        })
        .await
    }

    async fn messages(
        &self,
        access: &Access,
        conversation: ConversationId,
        page: PageRequest,
    ) -> Result<Page<Message>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(conversation));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<MessageRow>, _) =
                    counted_page!(&mut c, page, (messages::created_at, messages::id), {
                        let query = messages::table
                            .filter(messages::workspace_id.eq_unindexed(ws))
                            .filter(messages::conversation_id.eq(id))
                            .select(MessageRow::as_select());
                        query.into_boxed::<Db>()
                    });
                let found = rows.into_iter().map(MessageRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }

    async fn by_provider_id(
        &self,
        access: &Access,
        channel: ChannelId,
        direction: Direction,
        provider_message_id: &str,
    ) -> Result<Option<Message>, StoreError> {
        let (ws, channel) = (DbId::from(access.workspace()), DbId::from(channel));
        let name = provider_message_id.to_owned();
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<MessageRow> = find!(
                    &mut c,
                    messages::table
                        .filter(messages::workspace_id.eq_unindexed(ws))
                        .filter(messages::channel_id.eq(channel))
                        .filter(messages::provider_message_id.eq(name))
                        .filter(messages::direction.eq_unindexed(direction.as_str()))
                        .order((messages::created_at.desc(), messages::id.desc()))
                        .select(MessageRow::as_select())
                        .limit(1)
                )?;
                row.map(MessageRow::read).transpose()
            })
        })
        .await
    }

    async fn by_part(
        &self,
        access: &Access,
        channel: ChannelId,
        provider_message_id: &str,
    ) -> Result<Option<Message>, StoreError> {
        let (ws, channel) = (DbId::from(access.workspace()), DbId::from(channel));
        let name = provider_message_id.to_owned();
        self.read(ws, move |c| {
            Box::pin(
                async move { part_ids::find_message(c, ws, channel, name).await?.map(MessageRow::read).transpose() },
            )
        })
        .await
    }

    async fn last_used(&self, access: &Access, contact: ContactId) -> Result<Option<Conversation>, StoreError> {
        let (ws, contact) = (DbId::from(access.workspace()), DbId::from(contact));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<ConversationRow> = find!(
                    &mut c,
                    conversations::table
                        .filter(conversations::workspace_id.eq_unindexed(ws))
                        .filter(conversations::contact_id.eq(contact))
                        .filter(conversations::last_message_at.is_not_null())
                        .order((conversations::last_message_at.desc(), conversations::id.desc()))
                        .select(ConversationRow::as_select())
                        .limit(1)
                )?;
                row.map(ConversationRow::read).transpose()
            })
        })
        .await
    }

    async fn automatic_since(
        &self,
        access: &Access,
        conversation: ConversationId,
        since: Timestamp,
    ) -> Result<usize, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(conversation));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let sent: Vec<(String, String)> = load!(
                    &mut c,
                    messages::table
                        .filter(messages::workspace_id.eq_unindexed(ws))
                        .filter(messages::conversation_id.eq(id))
                        .filter(messages::created_at.ge(DbTime(since.minus(LONGEST_QUEUED))))
                        .filter(messages::updated_at.ge(DbTime(since)))
                        .filter(messages::direction.eq_unindexed(Direction::Outbound.as_str()))
                        .select((messages::sender_kind, messages::status))
                )?;
                let counts = |(sender, status): &(String, String)| {
                    is_automatic(Actor::from_parts(sender, None).kind)
                        && MessageStatus::parse(status).is_some_and(may_have_arrived)
                };
                Ok(sent.iter().filter(|it| counts(it)).count())
            })
        })
        .await
    }

    async fn captured(
        &self,
        access: &Access,
        channel: ChannelId,
        page: PageRequest,
    ) -> Result<Page<Message>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(channel));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let taken = [MessageStatus::Sent, MessageStatus::Delivered, MessageStatus::Read];
                let (rows, total): (Vec<MessageRow>, _) =
                    counted_page!(&mut c, page, (messages::created_at, messages::id), {
                        let query = messages::table
                            .filter(messages::workspace_id.eq_unindexed(ws))
                            .filter(messages::channel_id.eq(id))
                            .filter(sql::<Bool>(OUTBOUND))
                            .filter(messages::status.eq_any(taken.map(MessageStatus::as_str)))
                            .select(MessageRow::as_select());
                        query.into_boxed::<Db>()
                    });
                let found = rows.into_iter().map(MessageRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }

    async fn message(&self, access: &Access, message: MessageId) -> Result<Option<Message>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(message));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<MessageRow> =
                    find!(&mut c, messages::table.find((ws, id)).select(MessageRow::as_select()))?;
                row.map(MessageRow::read).transpose()
            })
        })
        .await
    }

    async fn dispatch(&self, access: &Access, message: MessageId) -> Result<Option<Dispatch>, StoreError> {
        let key = (DbId::from(access.workspace()), DbId::from(message));
        self.loaders.dispatches.load(&self.backend, key).await
    }
}

/// Returns the conversations of these contacts (workspace and ID).
pub(crate) fn find_all(mut c: Connection<'_>, keys: Vec<(DbId, DbId)>) -> Found<'_, (DbId, DbId), Vec<Conversation>> {
    Box::pin(async move {
        let keys: Vec<_> = keys.into_iter().map(|(ws, contact)| (ws, [contact])).collect();
        let rows: Vec<ConversationRow> = match &mut c {
            Connection::Postgres(connection) if keys.len() > 1 => {
                let mut connection: &AsyncPgConnection = connection;
                let columns = conversations::table.select(ConversationRow::as_select());
                let query = PreparedQuery(ByKeys::having(columns, ["contact_id"], &keys, "OFFSET 0"));
                diesel_async::RunQueryDsl::load(query, &mut connection).await?
            }
            c => {
                let mut rows = Vec::new();
                for (ws, [contact]) in keys {
                    let found: Vec<ConversationRow> = load!(
                        c,
                        conversations::table
                            .filter(conversations::workspace_id.eq_unindexed(ws))
                            .filter(conversations::contact_id.eq(contact))
                            .select(ConversationRow::as_select())
                    )?;
                    rows.extend(found);
                }
                rows
            }
        };
        by_contact(rows)
    })
}

/// Returns the conversations of the contacts of runs, by contact. PostgreSQL uses one statement.
pub(crate) async fn of_runs(
    mut connection: &AsyncPgConnection,
    runs: &[(DbId, DbId)],
) -> Result<HashMap<(DbId, DbId), Vec<Conversation>>, Fault> {
    let keys: Vec<_> = runs.iter().map(|(ws, run)| (*ws, [*run])).collect();
    let columns = conversations::table.select(ConversationRow::as_select());
    let query = PreparedQuery(ByKeys::having(columns, ["contact_id"], &keys, "OFFSET 0").of_runs());
    by_contact(diesel_async::RunQueryDsl::load(query, &mut connection).await?)
}

/// Groups conversations by contact, without duplicates if several runs have the same contact.
fn by_contact(rows: Vec<ConversationRow>) -> Result<HashMap<(DbId, DbId), Vec<Conversation>>, Fault> {
    let mut found = HashMap::<_, Vec<Conversation>>::new();
    for row in rows {
        let of = found.entry((row.workspace_id, row.contact_id)).or_default();
        let conversation = row.read()?;
        if of.iter().all(|it| it.id != conversation.id) {
            of.push(conversation);
        }
    }
    Ok(found)
}

/// Sorts by the time of the last message, newest first. Conversations without a message come last.
pub(crate) fn last_used_first(conversations: &mut [Conversation]) {
    conversations.sort_by_key(|it| std::cmp::Reverse((it.last_message_at, it.id)));
}

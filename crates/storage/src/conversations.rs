//! Conversations and messages.

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::{Access, Actor};
use tidings_domain::conversations::{
    Conversation, ConversationFilter, ConversationStatus, Direction, Handler, Message, MessageStatus,
};
use tidings_domain::ids::{ChannelId, ContactId, ConversationId, MessageId, TypedId};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{Conflict, ConversationQueries, Object, StoreError};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::connection::{Connection, execute, find, keyset, load};
use crate::faults::Fault;
use crate::rows::{exactly_one, json, to_json, word};
use crate::schema::{conversations, messages};
use crate::types::{DbId, DbTime};

#[derive(Debug, Clone, Queryable, Selectable, Insertable)]
#[diesel(table_name = conversations)]
struct ConversationRow {
    workspace_id: DbId,
    id: DbId,
    contact_id: DbId,
    channel_id: DbId,
    status: String,
    handler: String,
    last_message_at: Option<DbTime>,
    created_at: DbTime,
    updated_at: DbTime,
    version: i64,
}

impl ConversationRow {
    fn read(self) -> Result<Conversation, Fault> {
        Ok(Conversation {
            id: self.id.typed(),
            contact: self.contact_id.typed(),
            channel: self.channel_id.typed(),
            status: word(&self.status, "conversation status", ConversationStatus::parse)?,
            handler: word(&self.handler, "handler", Handler::parse)?,
            last_message_at: self.last_message_at.map(|time| time.0),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[derive(Debug, Clone, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = messages, primary_key(workspace_id, id), treat_none_as_null = true)]
struct MessageRow {
    workspace_id: DbId,
    id: DbId,
    conversation_id: DbId,
    contact_id: DbId,
    channel_id: DbId,
    direction: String,
    body: String,
    status: String,
    history: String,
    error: Option<String>,
    sender_kind: String,
    sender_id: Option<String>,
    provider_message_id: Option<String>,
    created_at: DbTime,
    updated_at: DbTime,
    version: i64,
}

impl MessageRow {
    fn write(workspace_id: DbId, it: &Message) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            conversation_id: it.conversation.into(),
            contact_id: it.contact.into(),
            channel_id: it.channel.into(),
            direction: it.direction.as_str().to_owned(),
            body: it.text.clone(),
            status: it.status.as_str().to_owned(),
            history: to_json(&it.history)?,
            error: it.error.as_ref().map(to_json).transpose()?,
            sender_kind: it.sender.kind_str().to_owned(),
            sender_id: it.sender.id.clone(),
            provider_message_id: it.provider_message_id.clone(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }

    fn read(self) -> Result<Message, Fault> {
        Ok(Message {
            id: self.id.typed(),
            conversation: self.conversation_id.typed(),
            contact: self.contact_id.typed(),
            channel: self.channel_id.typed(),
            direction: word(&self.direction, "direction", Direction::parse)?,
            text: self.body,
            status: word(&self.status, "message status", MessageStatus::parse)?,
            history: json(&self.history, "a message's history")?,
            error: self.error.map(|error| json(&error, "a message's error")).transpose()?,
            sender: Actor::from_parts(&self.sender_kind, self.sender_id),
            provider_message_id: self.provider_message_id,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[async_trait]
impl ConversationQueries for Storage {
    async fn get(&self, access: &Access, conversation: ConversationId) -> Result<Option<Conversation>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(conversation));
        self.read(move |mut c| {
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
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<ConversationRow> = find!(
                    &mut c,
                    conversations::table
                        .filter(conversations::workspace_id.eq(ws))
                        .filter(conversations::contact_id.eq(DbId::from(contact)))
                        .filter(conversations::channel_id.eq(DbId::from(channel)))
                        .select(ConversationRow::as_select())
                )?;
                row.map(ConversationRow::read).transpose()
            })
        })
        .await
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ConversationFilter,
        page: PageRequest,
    ) -> Result<Page<Conversation>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<ConversationRow> = load!(&mut c, {
                    let mut query = conversations::table
                        .filter(conversations::workspace_id.eq(ws))
                        .select(ConversationRow::as_select())
                        .into_boxed::<Db>();
                    if let Some(status) = filter.status {
                        query = query.filter(conversations::status.eq(status.as_str()));
                    }
                    if let Some(contact) = filter.contact {
                        query = query.filter(conversations::contact_id.eq(DbId::from(contact)));
                    }
                    if let Some(channel) = filter.channel {
                        query = query.filter(conversations::channel_id.eq(DbId::from(channel)));
                    }
                    if let Some(after) = filter.updated_after {
                        query = query.filter(conversations::updated_at.ge(DbTime(after)));
                    }
                    keyset!(query, page, conversations::created_at, conversations::id)
                })?;
                let found = rows.into_iter().map(ConversationRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }))
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
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<MessageRow> = load!(&mut c, {
                    let query = messages::table
                        .filter(messages::workspace_id.eq(ws))
                        .filter(messages::conversation_id.eq(id))
                        .select(MessageRow::as_select());
                    keyset!(query.into_boxed::<Db>(), page, messages::created_at, messages::id)
                })?;
                let found = rows.into_iter().map(MessageRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(found, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }))
            })
        })
        .await
    }

    async fn message(&self, access: &Access, message: MessageId) -> Result<Option<Message>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(message));
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<MessageRow> =
                    find!(&mut c, messages::table.find((ws, id)).select(MessageRow::as_select()))?;
                row.map(MessageRow::read).transpose()
            })
        })
        .await
    }
}

pub(crate) async fn insert(c: &mut Connection<'_>, workspace_id: DbId, it: &Conversation) -> Result<(), Fault> {
    let row = ConversationRow {
        workspace_id,
        id: it.id.into(),
        contact_id: it.contact.into(),
        channel_id: it.channel.into(),
        status: it.status.as_str().to_owned(),
        handler: it.handler.as_str().to_owned(),
        last_message_at: it.last_message_at.map(Into::into),
        created_at: it.created_at.into(),
        updated_at: it.updated_at.into(),
        version: it.version,
    };
    execute!(c, diesel::insert_into(conversations::table).values(row)).map(|_| ())
}

/// Moves the last-seen stamp forward, never back, and with it the time of the last change.
pub(crate) async fn touch(c: &mut Connection<'_>, ws: DbId, id: ConversationId, at: Timestamp) -> Result<(), Fault> {
    let earlier = conversations::last_message_at.is_null().or(conversations::last_message_at.lt(DbTime(at)));
    let target = conversations::table
        .filter(conversations::workspace_id.eq(ws))
        .filter(conversations::id.eq(DbId::from(id)))
        .filter(earlier);
    let changes = (conversations::last_message_at.eq(DbTime(at)), conversations::updated_at.eq(DbTime(at)));
    execute!(c, diesel::update(target).set(changes)).map(|_| ())
}

pub(crate) async fn insert_message(c: &mut Connection<'_>, ws: DbId, it: &Message) -> Result<(), Fault> {
    let row = MessageRow::write(ws, it)?;
    execute!(c, diesel::insert_into(messages::table).values(row)).map(|_| ())
}

pub(crate) async fn update_message(c: &mut Connection<'_>, ws: DbId, it: &Message) -> Result<(), Fault> {
    let row = MessageRow::write(ws, it)?;
    let target = messages::table.find((ws, DbId::from(it.id))).filter(messages::version.eq(it.version - 1));
    let rows = execute!(c, diesel::update(target).set(row))?;
    exactly_one(rows, Conflict::Stale(Object::Message(it.id)))
}

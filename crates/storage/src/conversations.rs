//! Conversations and messages.

use async_trait::async_trait;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use serde::{Deserialize, Serialize};
use tidings_domain::access::{Access, Actor};
use tidings_domain::conversations::{
    Attachment, Content, Conversation, ConversationFilter, ConversationStatus, Direction, Dispatch, Handler, Message,
    MessageStatus, MessageTemplate, MessageType, QuickReply,
};
use tidings_domain::ids::{ChannelId, ContactId, ConversationId, MessageId, TypedId};
use tidings_domain::pagination::{Page, PageRequest, Position, SortedPage, SortedRequest};
use tidings_domain::ports::{ConversationQueries, StoreError};

use crate::checked::Checked;
use crate::connection::{Connection, find, listed, load, load_any};
use crate::faults::Fault;
use crate::rows::{json, to_json, word};
use crate::schema::{conversations, messages};
use crate::types::{DbId, DbTime};
use crate::write;
use crate::{Reading, Storage};

mod dispatches;
mod lists;

crate::write::written! {
    ConversationRow: crate::write::Shape::of("conversations"),
    MessageRow: crate::write::Shape::of("messages"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = conversations)]
    pub(crate) struct ConversationRow in conversations {
        workspace_id: DbId,
        id: DbId,
        contact_id: DbId,
        channel_id: DbId,
        status: String,
        handler: String,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        assignee_id: Option<DbId>,
        snoozed_until: Option<DbTime>,
        unread_count: i64,
        waiting_since: Option<DbTime>,
        first_reply_at: Option<DbTime>,
        resolved_at: Option<DbTime>,
        reopen_count: i64,
        /// A stamp that commutes: an update made from an older reading must not turn it back.
        last_message_at: Option<DbTime> = latest,
    }
}

impl ConversationRow {
    pub(crate) fn write(workspace_id: DbId, it: &Conversation) -> Self {
        Self {
            workspace_id,
            id: it.id.into(),
            contact_id: it.contact.into(),
            channel_id: it.channel.into(),
            status: it.status.as_str().to_owned(),
            handler: it.handler.as_str().to_owned(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            assignee_id: it.assignee.map(Into::into),
            snoozed_until: it.snoozed_until.map(Into::into),
            unread_count: it.unread_count,
            waiting_since: it.waiting_since.map(Into::into),
            first_reply_at: it.first_reply_at.map(Into::into),
            resolved_at: it.resolved_at.map(Into::into),
            reopen_count: it.reopen_count,
            last_message_at: it.last_message_at.map(Into::into),
        }
    }

    pub(crate) fn read(self) -> Result<Conversation, Fault> {
        let time = |time: Option<DbTime>| time.map(|time| time.0);
        Ok(Conversation {
            id: self.id.typed(),
            contact: self.contact_id.typed(),
            channel: self.channel_id.typed(),
            status: word(&self.status, "conversation status", ConversationStatus::parse)?,
            handler: word(&self.handler, "handler", Handler::parse)?,
            assignee: self.assignee_id.map(DbId::typed),
            snoozed_until: time(self.snoozed_until),
            unread_count: self.unread_count,
            waiting_since: time(self.waiting_since),
            first_reply_at: time(self.first_reply_at),
            last_message_at: time(self.last_message_at),
            resolved_at: time(self.resolved_at),
            reopen_count: self.reopen_count,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = messages)]
    pub(crate) struct MessageRow in messages {
        workspace_id: DbId,
        id: DbId,
        /// It is taken in by a conversation once, by a change of its own.
        conversation_id: Option<DbId> = kept,
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
        kind: String,
        parts: Option<String>,
    }
}

/// What is beside the words.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Parts {
    /// Whether there are no words, which is not the same as empty ones.
    wordless: bool,
    attachments: Vec<Attachment>,
    quick_replies: Vec<QuickReply>,
    template: Option<MessageTemplate>,
}

impl Parts {
    fn of(content: &Content) -> Self {
        Self {
            wordless: content.text.is_none(),
            attachments: content.attachments.clone(),
            quick_replies: content.quick_replies.clone(),
            template: content.template.clone(),
        }
    }
}

impl MessageRow {
    pub(crate) fn write(workspace_id: DbId, it: &Message) -> Result<Self, Fault> {
        let parts = Parts::of(&it.content);
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            conversation_id: it.conversation.map(Into::into),
            contact_id: it.contact.into(),
            channel_id: it.channel.into(),
            direction: it.direction.as_str().to_owned(),
            body: it.content.text.clone().unwrap_or_default(),
            status: it.status.as_str().to_owned(),
            history: to_json(&it.history)?,
            error: it.error.as_ref().map(to_json).transpose()?,
            sender_kind: it.sender.kind_str().to_owned(),
            sender_id: it.sender.id.clone(),
            provider_message_id: it.provider_message_id.clone(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            kind: it.content.kind.as_str().to_owned(),
            // Most messages are words and nothing else.
            parts: if parts == Parts::default() { None } else { Some(to_json(&parts)?) },
        })
    }

    pub(crate) fn read(self) -> Result<Message, Fault> {
        let parts: Parts = match &self.parts {
            Some(parts) => json(parts, "a message's parts")?,
            None => Parts::default(),
        };
        let content = Content {
            kind: word(&self.kind, "message type", MessageType::parse)?,
            text: Some(self.body).filter(|_| !parts.wordless),
            attachments: parts.attachments,
            quick_replies: parts.quick_replies,
            template: parts.template,
        };
        Ok(Message {
            id: self.id.typed(),
            conversation: self.conversation_id.map(DbId::typed),
            contact: self.contact_id.typed(),
            channel: self.channel_id.typed(),
            direction: word(&self.direction, "direction", Direction::parse)?,
            content,
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

/// As the index of what channels took says it.
const OUTBOUND: &str = "messages.direction = 'outbound'";

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
        self.read_row(move |mut c| {
            Box::pin(async move {
                let row: Option<ConversationRow> = find!(
                    &mut c,
                    conversations::table
                        .filter(conversations::workspace_id.checked(ws))
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
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<ConversationRow> = load_any!(
                    &mut c,
                    conversations::table
                        .filter(conversations::workspace_id.checked(ws))
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
        let ws = DbId::from(access.workspace());
        self.read_row(move |mut c| {
            Box::pin(async move {
                let rows: Vec<ConversationRow> = load!(
                    &mut c,
                    conversations::table
                        .filter(conversations::workspace_id.checked(ws))
                        .filter(conversations::contact_id.eq(DbId::from(contact)))
                        .select(ConversationRow::as_select())
                )?;
                let mut found = rows.into_iter().map(ConversationRow::read).collect::<Result<Vec<_>, _>>()?;
                found.sort_by_key(|it| std::cmp::Reverse((it.last_message_at, it.id)));
                Ok(found)
            })
        })
        .await
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ConversationFilter,
        page: SortedRequest,
    ) -> Result<SortedPage<Conversation>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        let how = if filter.words.is_empty() { Reading::AsOne } else { Reading::Free };
        self.read_so(how, move |mut c| Box::pin(async move { lists::page(&mut c, ws, &filter, &page).await })).await
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
                let (rows, total): (Vec<MessageRow>, _) =
                    listed!(&mut c, page, (messages::created_at, messages::id), {
                        let query = messages::table
                            .filter(messages::workspace_id.checked(ws))
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
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<MessageRow> = find!(
                    &mut c,
                    messages::table
                        .filter(messages::workspace_id.checked(ws))
                        .filter(messages::channel_id.eq(channel))
                        .filter(messages::provider_message_id.eq(name))
                        .filter(messages::direction.checked(direction.as_str()))
                        .order((messages::created_at.desc(), messages::id.desc()))
                        .select(MessageRow::as_select())
                        .limit(1)
                )?;
                row.map(MessageRow::read).transpose()
            })
        })
        .await
    }

    async fn last_used(&self, access: &Access, contact: ContactId) -> Result<Option<Conversation>, StoreError> {
        let (ws, contact) = (DbId::from(access.workspace()), DbId::from(contact));
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<ConversationRow> = find!(
                    &mut c,
                    conversations::table
                        .filter(conversations::workspace_id.checked(ws))
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

    async fn captured(
        &self,
        access: &Access,
        channel: ChannelId,
        page: PageRequest,
    ) -> Result<Page<Message>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(channel));
        self.read(move |mut c| {
            Box::pin(async move {
                let taken = [MessageStatus::Sent, MessageStatus::Delivered, MessageStatus::Read];
                let (rows, total): (Vec<MessageRow>, _) =
                    listed!(&mut c, page, (messages::created_at, messages::id), {
                        let query = messages::table
                            .filter(messages::workspace_id.checked(ws))
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
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<MessageRow> =
                    find!(&mut c, messages::table.find((ws, id)).select(MessageRow::as_select()))?;
                row.map(MessageRow::read).transpose()
            })
        })
        .await
    }

    async fn dispatch(&self, access: &Access, message: MessageId) -> Result<Option<Dispatch>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(message));
        self.read(move |mut c| Box::pin(async move { dispatches::find(&mut c, ws, id).await })).await
    }
}

crate::write::row! {
    /// When something was said.
    #[derive(Debug, Clone)]
    pub(crate) struct Seen in conversations {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) last_message_at: DbTime,
    }
}

const TOUCH_ON_POSTGRES: &str = "UPDATE conversations AS t SET last_message_at = seen.at, updated_at = seen.at \
    FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::timestamptz[])) AS seen (workspace_id, id, at) \
    CROSS JOIN LATERAL (SELECT f.ctid, f.last_message_at FROM conversations f WHERE f.workspace_id = seen.workspace_id \
    AND f.id = seen.id LIMIT 1 FOR NO KEY UPDATE) AS found WHERE t.ctid = found.ctid \
    AND (found.last_message_at IS NULL OR found.last_message_at < seen.at)";
const TOUCH_ON_SQLITE: &str = "UPDATE conversations SET last_message_at = ?3, updated_at = ?3 WHERE workspace_id = ?1 \
    AND id = ?2 AND (last_message_at IS NULL OR last_message_at < ?3)";

/// Moves the last-seen stamps forward, never back, and with them the times of the last change.
pub(crate) async fn touch(c: &mut Connection<'_>, rows: &[Seen]) -> Result<(), Fault> {
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, rows, TOUCH_ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, rows, TOUCH_ON_SQLITE).map(|_| ()),
    }
}

crate::write::row! {
    /// What was sent to a contact before there was a conversation stands in it from now on.
    #[derive(Debug, Clone)]
    pub(crate) struct Adopted in messages {
        workspace_id: DbId,
        conversation_id: Option<DbId>,
        contact_id: DbId,
        channel_id: DbId,
    }
}

impl Adopted {
    pub(crate) fn write(ws: DbId, conversation: ConversationId, contact: ContactId, channel: ChannelId) -> Self {
        let (conversation_id, contact_id) = (Some(conversation.into()), contact.into());
        Self { workspace_id: ws, conversation_id, contact_id, channel_id: channel.into() }
    }
}

const ADOPT_ON_POSTGRES: &str = "UPDATE messages AS t SET conversation_id = made.conversation_id \
    FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::uuid[]), (SELECT $4::uuid[])) \
    AS made (workspace_id, conversation_id, contact_id, channel_id) \
    CROSS JOIN LATERAL (SELECT f.ctid FROM messages f WHERE f.contact_id = made.contact_id AND f.conversation_id IS NULL \
    AND f.channel_id IS NOT DISTINCT FROM made.channel_id AND f.workspace_id IS NOT DISTINCT FROM made.workspace_id \
    FOR NO KEY UPDATE) AS found WHERE t.ctid = found.ctid";
const ADOPT_ON_SQLITE: &str = "UPDATE messages SET conversation_id = ?2 WHERE +workspace_id = ?1 AND contact_id = ?3 \
    AND +channel_id = ?4 AND conversation_id IS NULL";

/// Has conversations take in the messages that stand in none.
pub(crate) async fn adopt(c: &mut Connection<'_>, rows: &[Adopted]) -> Result<(), Fault> {
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, rows, ADOPT_ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, rows, ADOPT_ON_SQLITE).map(|_| ()),
    }
}

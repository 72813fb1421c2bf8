//! `/conversations`: what was said with a contact on a channel.

use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::conversations::{
    Content, Conversation, ConversationFilter, ConversationStatus, ConversationView, Message, MessageView,
};
use tidings_domain::ids::{ChannelId, ConversationId, MessageId, UserId};
use tidings_domain::outcome::Done;
use tidings_domain::read;
use tidings_domain::read::texts::{id, word};
use tidings_domain::time::Timestamp;
use utoipa::IntoParams;

use crate::answer::Answer;
use crate::contacts::{filtered, reference};
use crate::paging::{List, PageParams};
use crate::problem::Problem;
use crate::query::time;
use crate::request::Cx;

/// A conversation in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the parameters")]
struct ConversationPath {
    /// The conversation's id.
    #[param(inline)]
    id: ConversationId,
}

/// The filters; all must hold.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the parameters")]
struct ConversationFilters {
    /// With this status.
    #[param(inline)]
    status: Option<ConversationStatus>,
    /// Assigned to this member.
    #[param(inline)]
    assignee_id: Option<UserId>,
    /// With this contact: its id, or `external_id:…`, `email:…` or `phone:…`.
    #[param(example = "contact_01h455vb4pex5vsknk084sn02q")]
    contact_id: Option<String>,
    /// On this channel.
    #[param(inline)]
    channel_id: Option<ChannelId>,
    /// Changed at this time or later.
    #[param(inline)]
    updated_after: Option<Timestamp>,
}

body! {
    /// A message to be written. A `note` is for the colleagues.
    struct WriteMessage {
        /// What it says.
        flat content: Content;
    }
}

body! {
    /// Until when.
    struct SnoozeConversation {
        /// An instant in the future.
        required until: Timestamp = read::timestamp();
    }
}

body! {
    /// To whom.
    struct AssignConversation {
        /// A member of the workspace, or `null` for nobody.
        present assignee_id: UserId = read::id(), "is required; `null` is nobody";
    }
}

/// Lists conversations that pass all filters.
#[utoipa::path(get, path = "/api/v1/conversations", tag = "Conversations", params(ConversationFilters, PageParams),
    responses((status = 200, description = "A page of conversations.", body = List<ConversationView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query()?;
    let filter = ConversationFilter {
        status: query.one("status", word(ConversationStatus::WORDS, ConversationStatus::parse)),
        assignee: query.one("assignee_id", id),
        contact: None,
        channel: query.one("channel_id", id),
        updated_after: query.one("updated_after", time),
    };
    let contact = query.one("contact_id", reference);
    query.finish().map_err(Problem::validation)?;
    let filter = ConversationFilter { contact: filtered(&cx, contact).await?, ..filter };
    let page = cx.services().conversations.list(cx.access(), &filter, paging.request).await?;
    Ok(cx.page(&paging, page, |conversation| ConversationView::from(conversation)))
}

/// Shows a conversation.
#[utoipa::path(get, path = "/api/v1/conversations/{id}", tag = "Conversations", params(ConversationPath),
    responses((status = 200, description = "The conversation.", body = ConversationView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    let conversation = cx.services().conversations.get(cx.access(), cx.id("id")?).await?;
    Ok(Answer::object(&ConversationView::from(&conversation), conversation.version))
}

/// Lists the messages of a conversation.
#[utoipa::path(get, path = "/api/v1/conversations/{id}/messages", tag = "Conversations",
    params(ConversationPath, PageParams),
    responses((status = 200, description = "A page of messages.", body = List<MessageView>)))]
pub async fn messages(cx: Cx) -> Result<Answer, Problem> {
    let (query, paging) = cx.list_query()?;
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().conversations.messages(cx.access(), cx.id("id")?, paging.request).await?;
    Ok(cx.page(&paging, page, |message| MessageView::from(message)))
}

/// Writes into a conversation.
///
/// It is queued, or suppressed with its reason. A `note` is private and never sent. When a person
/// writes, the conversation opens for people, and no bot speaks until it is resolved.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/messages", tag = "Conversations", params(ConversationPath),
    request_body = WriteMessage, responses(
    (status = 202, description = "The message: `queued`, `suppressed`, or a note, which is `noted`.", body = MessageView),
    (status = 409, description = "`no_channel`: the conversation's channel was deleted.")))]
pub async fn write(cx: Cx) -> Result<Answer, Problem> {
    let WriteMessage { content } = cx.body()?;
    let conversation: ConversationId = cx.id("id")?;
    let render = |done: &Done<Message>| {
        show_message(&done.value).outcome(done.outcome).located(format!("/api/v1/messages/{}", done.value.id))
    };
    let service = &cx.services().conversations;
    cx.run_idempotent(render, async |idempotency| service.write(cx.access(), conversation, content, idempotency).await)
        .await
}

/// A message in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the parameters")]
struct MessagePath {
    /// The message's id.
    #[param(inline)]
    id: MessageId,
}

/// Shows a message, and how far it came.
#[utoipa::path(get, path = "/api/v1/messages/{id}", tag = "Conversations", params(MessagePath),
    responses((status = 200, description = "The message.", body = MessageView)))]
pub async fn message(cx: Cx) -> Result<Answer, Problem> {
    Ok(show_message(&cx.services().conversations.message(cx.access(), cx.id("id")?).await?))
}

fn show_message(message: &Message) -> Answer {
    Answer::object(&MessageView::from(message), message.version)
}

/// Declares a conversation done.
///
/// It goes back to the bot; the next message opens it again.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/resolve", tag = "Conversations", params(ConversationPath),
    responses((status = 200, description = "The conversation, resolved.", body = ConversationView)))]
pub async fn resolve(cx: Cx) -> Result<Answer, Problem> {
    let id = cx.id("id")?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(shown(&cx, id)).await?;
        cx.services().conversations.resolve(cx.access(), id, &expected, idempotency).await
    })
    .await
}

/// Opens a conversation that was resolved or snoozed.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/reopen", tag = "Conversations", params(ConversationPath),
    responses((status = 200, description = "The conversation, neither resolved nor snoozed.", body = ConversationView)))]
pub async fn reopen(cx: Cx) -> Result<Answer, Problem> {
    let id = cx.id("id")?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(shown(&cx, id)).await?;
        cx.services().conversations.reopen(cx.access(), id, &expected, idempotency).await
    })
    .await
}

/// Takes a conversation out of sight until a time, or until the contact writes.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/snooze", tag = "Conversations", params(ConversationPath),
    request_body = SnoozeConversation, responses(
    (status = 200, description = "The conversation, snoozed.", body = ConversationView),
    (status = 409, description = "`conversation_resolved`: reopen it first.")))]
pub async fn snooze(cx: Cx) -> Result<Answer, Problem> {
    let SnoozeConversation { until } = cx.body()?;
    let id = cx.id("id")?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(shown(&cx, id)).await?;
        cx.services().conversations.snooze(cx.access(), id, until, &expected, idempotency).await
    })
    .await
}

/// Assigns a conversation to a member of the workspace, or to nobody.
///
/// Who is assigned has it: it opens for people, and no bot speaks until it is resolved.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/assign", tag = "Conversations", params(ConversationPath),
    request_body = AssignConversation,
    responses((status = 200, description = "The conversation, assigned.", body = ConversationView)))]
pub async fn assign(cx: Cx) -> Result<Answer, Problem> {
    let AssignConversation { assignee_id: assignee } = cx.body()?;
    let id = cx.id("id")?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(shown(&cx, id)).await?;
        cx.services().conversations.assign(cx.access(), id, assignee, &expected, idempotency).await
    })
    .await
}

/// Notes that somebody looked at what the contact wrote.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/read", tag = "Conversations", params(ConversationPath),
    responses((status = 200, description = "The conversation, with nothing unread.", body = ConversationView)))]
pub async fn read(cx: Cx) -> Result<Answer, Problem> {
    let id = cx.id("id")?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(shown(&cx, id)).await?;
        cx.services().conversations.read(cx.access(), id, &expected, idempotency).await
    })
    .await
}

async fn shown(cx: &Cx, conversation: ConversationId) -> Result<Answer, Error> {
    let conversation = cx.services().conversations.get(cx.access(), conversation).await?;
    Ok(Answer::object(&ConversationView::from(&conversation), conversation.version))
}

fn show(done: &Done<Conversation>) -> Answer {
    Answer::object(&ConversationView::from(&done.value), done.value.version).outcome(done.outcome)
}

//! `/conversations`: the messages with a contact on a channel.

pub(crate) mod assignees;
pub(crate) mod channel_templates;
pub(crate) mod channel_types;
pub(crate) mod channels;
pub mod counts;
pub(crate) mod inbound;
mod large_body;
pub(crate) mod media;
pub(crate) mod saved_replies;

use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::contacts::{ContactRef, TagRef};
use tidings_domain::conversations::{
    AssignedTo, Content, Conversation, ConversationFilter, ConversationStatus, ConversationView, Message, MessageView,
};
use tidings_domain::ids::{ChannelId, ConversationId, MessageId, UserId};
use tidings_domain::outcome::Done;
use tidings_domain::pagination::Sort;
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{self, Read, string, texts};
use tidings_domain::time::Timestamp;

use crate::contacts::{MAX_TAGS, filtered, find_tags, reference, tag};
use crate::request::RequestContext;
use crate::request::paging::{Include, List, ListParameters, ListQuery, PageParams, cursor, include, sort};
use crate::request::path::{CONVERSATION, MESSAGE};
use crate::request::query::{flag, limit, parameters, time, words};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

parameters! {
    struct ConversationFilters {
        /// Only conversations of contacts with each of these words in the name, email address, phone number or external
        /// ID. Case and diacritics are ignored.
        one words as "q": Vec<String> = words();
        /// Only conversations with this status.
        one status: ConversationStatus = read::word(ConversationStatus::WORDS, ConversationStatus::parse);
        /// Only conversations assigned to this member; `none` for unassigned conversations.
        one assigned as "assignee_id": AssignedTo = assigned();
        /// Only conversations with unread messages (`true`), or without (`false`).
        one unread: bool = flag();
        /// Only conversations with a contact who waits for an answer (`true`), or who does not (`false`).
        one waiting: bool = flag();
        /// Only conversations of contacts with this tag, by ID or name. If repeated, contacts must have all tags.
        many tags as "tag": TagRef = tag(), MAX_TAGS;
        /// Only conversations on this channel.
        one channel_id: ChannelId = read::id();
        /// Only conversations updated at this time or later.
        one updated_after: Timestamp = time();
        /// Only conversations with this contact: its ID, or `external_id:…`, `email:…` or `phone:…`.
        one contact_id: ContactRef = reference();
    }
}

parameters! {
    struct ConversationPage {
        /// At most this many items, 1 to 100.
        one limit: u32 = limit();
        /// Attribute to sort by; a leading `-` reverses the order. Conversations without the value come last in both
        /// directions: with `waiting_since`, those who have waited longest come first.
        one sort: Sort = sort("ConversationSort", &Conversation::SORTS);
        /// `total` also counts the items on all pages.
        one include: Include = include();
        /// `next_cursor` of the previous page. Send the same filters again.
        one cursor: String = cursor();
    }
}

impl ListParameters for ConversationPage {
    type Order = Sort;

    fn into_list_query(self) -> ListQuery<Sort> {
        ListQuery { limit: self.limit, order: self.sort, counted: self.include.is_some(), cursor: self.cursor }
    }
}

body! {
    /// A message to send. A `note` is visible only to members.
    struct WriteMessage {
        /// The content of the message.
        flat content: Content;
        /// The message that it answers: one of the conversation.
        nullable reply_to: MessageId = read::id();
    }
}

body! {
    /// The end of a snooze.
    struct SnoozeConversation {
        /// A time in the future.
        required until: Timestamp = read::timestamp();
    }
}

body! {
    /// The assignee.
    struct AssignConversation {
        /// A member of the workspace; `null` to unassign.
        present assignee_id: UserId = read::id(), "is required; `null` unassigns";
    }
}

/// List conversations.
///
/// Returns conversations that match all filters. A contact has at most one conversation per channel.
#[utoipa::path(get, path = "/api/v1/conversations", tag = "Conversations", params(ConversationFilters, ConversationPage),
    responses((status = 200, description = "A page of conversations.", body = List<ConversationView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<ConversationPage>();
    let it: ConversationFilters = query.read();
    query.finish()?;
    let filter = ConversationFilter {
        words: it.words.unwrap_or_default(),
        status: it.status,
        assigned: it.assigned,
        unread: it.unread,
        waiting: it.waiting,
        tags: find_tags(&cx, it.tags).await?,
        contact: filtered(&cx, it.contact_id).await?,
        channel: it.channel_id,
        updated_after: it.updated_after,
    };
    let page = cx.services().conversations.list(cx.access(), &filter, paging.request.clone()).await?;
    Ok(cx.page(&paging, page, |conversation| ConversationView::from(conversation)))
}

/// Get a conversation.
///
/// Includes the handler, the assignee and the number of unread messages.
#[utoipa::path(get, path = "/api/v1/conversations/{id}", tag = "Conversations",
    responses((status = 200, description = "The conversation.", body = ConversationView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    let conversation = cx.services().conversations.get(cx.access(), cx.path_parameter(&CONVERSATION)?).await?;
    Ok(Answer::object(&ConversationView::from(&conversation), conversation.version))
}

/// List the messages of a conversation.
///
/// Includes inbound and outbound messages, each with its status.
#[utoipa::path(get, path = "/api/v1/conversations/{id}/messages", tag = "Conversations",
    params(PageParams),
    responses((status = 200, description = "A page of messages.", body = List<MessageView>)))]
pub async fn messages(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page =
        cx.services().conversations.messages(cx.access(), cx.path_parameter(&CONVERSATION)?, paging.request).await?;
    Ok(cx.page(&paging, page, |message| MessageView::from(message)))
}

/// Send a message in a conversation.
///
/// The message is queued, or suppressed with a reason. A `note` is private and never sent. When a member sends a
/// message, the conversation opens for agents, and automation stays silent until it is resolved.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/messages", tag = "Conversations",
    request_body = WriteMessage, responses(
    (status = 202, description = "The message: `queued`, `suppressed`, or `noted` for a note.", body = MessageView),
    (status = 409, description = "`no_channel`: the conversation's channel was deleted. \
        `no_public_url`: the message has a file that the provider must load from the server.")))]
pub async fn write(cx: RequestContext) -> Result<Answer, Problem> {
    let WriteMessage { content, reply_to } = cx.body()?;
    let conversation = cx.path_parameter(&CONVERSATION)?;
    let service = &cx.services().conversations;
    cx.run_idempotent(show_sent, async |idempotency| {
        service.write(cx.access(), conversation, (content, reply_to), idempotency).await
    })
    .await
}

/// Get a message.
///
/// The status `queued` becomes `sending` and `sent`, then `delivered` and `read` if the provider reports them. It can
/// also end as `failed`, as `suppressed` with a reason, or as `uncertain`.
#[utoipa::path(get, path = "/api/v1/messages/{id}", tag = "Conversations",
    responses((status = 200, description = "The message.", body = MessageView)))]
pub async fn message(cx: RequestContext) -> Result<Answer, Problem> {
    let message = cx.services().conversations.message(cx.access(), cx.path_parameter(&MESSAGE)?).await?;
    Ok(Answer::object(&MessageView::complete(&message), message.version))
}

/// Send a message again.
///
/// Sends a copy of a message that is `failed` or `uncertain`, in the same conversation and under the same rules as a
/// new message. The first message stays: `resent_as` is the ID of the copy, and `resend_of` of the copy is the ID of
/// the first message. A second request returns the copy of the first one. If the message is `uncertain`, the contact may
/// get it twice.
#[utoipa::path(post, path = "/api/v1/messages/{id}/resend", tag = "Conversations", responses(
    (status = 202, description = "The copy: `queued` or `suppressed`.", body = MessageView),
    (status = 200, description = "The message was sent again before; this is the copy.", body = MessageView),
    (status = 409, description = "`not_resendable`: the message is neither `failed` nor `uncertain`, came from the \
     contact, or was never rendered. `no_channel`: the channel of the message was deleted.")))]
pub async fn resend(cx: RequestContext) -> Result<Answer, Problem> {
    let message = cx.path_parameter(&MESSAGE)?;
    cx.run_idempotent(show_sent, async |idempotency| {
        cx.services().conversations.resend(cx.access(), message, idempotency).await
    })
    .await
}

/// Shows a message after it was sent.
fn show_sent(done: &Done<Message>) -> Answer {
    show_message(&done.value).outcome(done.outcome).located(format!("/api/v1/messages/{}", done.value.id))
}

fn show_message(message: &Message) -> Answer {
    Answer::object(&MessageView::from(message), message.version)
}

/// Resolve a conversation.
///
/// It returns to automation; the next message opens it again.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/resolve", tag = "Conversations",
    responses((status = 200, description = "The conversation, resolved.", body = ConversationView)))]
pub async fn resolve(cx: RequestContext) -> Result<Answer, Problem> {
    let id = cx.path_parameter(&CONVERSATION)?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, id)).await?;
        cx.services().conversations.resolve(cx.access(), id, &expected, idempotency).await
    })
    .await
}

/// Reopen a conversation.
///
/// Opens a resolved or snoozed conversation.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/reopen", tag = "Conversations",
    responses((status = 200, description = "The conversation, neither resolved nor snoozed.", body = ConversationView)))]
pub async fn reopen(cx: RequestContext) -> Result<Answer, Problem> {
    let id = cx.path_parameter(&CONVERSATION)?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, id)).await?;
        cx.services().conversations.reopen(cx.access(), id, &expected, idempotency).await
    })
    .await
}

/// Snooze a conversation.
///
/// Hides the conversation until a time, or until the contact writes.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/snooze", tag = "Conversations",
    request_body = SnoozeConversation, responses(
    (status = 200, description = "The conversation, snoozed.", body = ConversationView),
    (status = 409, description = "`conversation_resolved`: reopen it first.")))]
pub async fn snooze(cx: RequestContext) -> Result<Answer, Problem> {
    let SnoozeConversation { until } = cx.body()?;
    let id = cx.path_parameter(&CONVERSATION)?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, id)).await?;
        cx.services().conversations.snooze(cx.access(), id, until, &expected, idempotency).await
    })
    .await
}

/// Assign a conversation.
///
/// Assigns it to a member of the workspace with the role `member`, `admin` or `owner`, or to no one. An assigned
/// conversation is open for agents, and automation stays silent until it is resolved.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/assign", tag = "Conversations",
    request_body = AssignConversation,
    responses((status = 200, description = "The conversation, assigned.", body = ConversationView)))]
pub async fn assign(cx: RequestContext) -> Result<Answer, Problem> {
    let AssignConversation { assignee_id: assignee } = cx.body()?;
    let id = cx.path_parameter(&CONVERSATION)?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, id)).await?;
        cx.services().conversations.assign(cx.access(), id, assignee, &expected, idempotency).await
    })
    .await
}

/// Mark a conversation as read.
///
/// The messages count as read for all members. The contact is not notified.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/read", tag = "Conversations",
    responses((status = 200, description = "The conversation, without unread messages.", body = ConversationView)))]
pub async fn read(cx: RequestContext) -> Result<Answer, Problem> {
    let id = cx.path_parameter(&CONVERSATION)?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, id)).await?;
        cx.services().conversations.read(cx.access(), id, &expected, idempotency).await
    })
    .await
}

async fn load_answer(cx: &RequestContext, conversation: ConversationId) -> Result<Answer, Error> {
    let conversation = cx.services().conversations.get(cx.access(), conversation).await?;
    Ok(Answer::object(&ConversationView::from(&conversation), conversation.version))
}

fn show(done: &Done<Conversation>) -> Answer {
    Answer::object(&ConversationView::from(&done.value), done.value.version).outcome(done.outcome)
}

fn assigned() -> impl Read<AssignedTo> + Describe {
    string(|text| match text {
        AssignedTo::NOBODY => Ok(AssignedTo::Nobody),
        id => texts::id(id).map(AssignedTo::Member),
    })
    .with(|it| it.pattern(Some("^(none|user_[0-7][0-9a-hjkmnp-tv-z]{25})$")))
}

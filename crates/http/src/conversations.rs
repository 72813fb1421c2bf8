//! `/conversations`: what was said with a contact on a channel.

use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::contacts::ContactRef;
use tidings_domain::conversations::{
    AssignedTo, Content, Conversation, ConversationFilter, ConversationStatus, ConversationView, Message, MessageView,
};
use tidings_domain::ids::{ChannelId, ConversationId, UserId};
use tidings_domain::outcome::Done;
use tidings_domain::pagination::Sort;
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{self, Read, string, texts};
use tidings_domain::time::Timestamp;

use crate::answer::Answer;
use crate::contacts::{filtered, reference};
use crate::paging::{Asked, Include, List, ListParameters, PageParams, cursor, include, sort};
use crate::path::{CONVERSATION, MESSAGE};
use crate::problem::Problem;
use crate::query::{flag, limit, parameters, time, words};
use crate::request::Cx;

parameters! {
    /// The filters; all must hold.
    struct ConversationFilters {
        /// Words, each of which stands somewhere in name, e-mail address, telephone number or external id of the contact.
        /// Case and diacritics do not count.
        one words as "q": Vec<String> = words();
        /// With this status.
        one status: ConversationStatus = read::word(ConversationStatus::WORDS, ConversationStatus::parse);
        /// Assigned to this member, or with `none` to nobody.
        one assigned as "assignee_id": AssignedTo = assigned();
        /// Those with messages of the contact that nobody has looked at, or those without.
        one unread: bool = flag();
        /// On this channel.
        one channel_id: ChannelId = read::id();
        /// Changed at this time or later.
        one updated_after: Timestamp = time();
        /// With this contact: its id, or `external_id:…`, `email:…` or `phone:…`.
        one contact_id: ContactRef = reference();
    }
}

parameters! {
    /// The page.
    struct ConversationPage {
        /// How many rows at the most.
        one limit: u32 = limit();
        /// By which attribute; a `-` in front turns the order around. Conversations without a message come last both ways.
        one sort: Sort = sort("ConversationSort", &Conversation::SORTS);
        /// `total` counts the rows of all pages.
        one include: Include = include();
        /// `next_cursor` of the page before, with the same filters.
        one cursor: String = cursor();
    }
}

impl ListParameters for ConversationPage {
    type Order = Sort;

    fn asked(self) -> Asked<Sort> {
        Asked { limit: self.limit, order: self.sort, counted: self.include.is_some(), cursor: self.cursor }
    }
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
///
/// A contact has one for each channel at the most.
#[utoipa::path(get, path = "/api/v1/conversations", tag = "Conversations", params(ConversationFilters, ConversationPage),
    responses((status = 200, description = "A page of conversations.", body = List<ConversationView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<ConversationPage>()?;
    let ConversationFilters { words, status, assigned, unread, channel_id, updated_after, contact_id } = query.read();
    query.finish().map_err(Problem::validation)?;
    let (contact, words) = (filtered(&cx, contact_id).await?, words.unwrap_or_default());
    let filter = ConversationFilter { words, status, assigned, unread, contact, channel: channel_id, updated_after };
    let page = cx.services().conversations.list(cx.access(), &filter, paging.request.clone()).await?;
    Ok(cx.page(&paging, page, |conversation| ConversationView::from(conversation)))
}

/// Shows a conversation.
///
/// With who handles it, who is assigned, and how many messages of the contact nobody has looked at.
#[utoipa::path(get, path = "/api/v1/conversations/{id}", tag = "Conversations",
    responses((status = 200, description = "The conversation.", body = ConversationView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    let conversation = cx.services().conversations.get(cx.access(), cx.named(&CONVERSATION)?).await?;
    Ok(Answer::object(&ConversationView::from(&conversation), conversation.version))
}

/// Lists the messages of a conversation.
///
/// Those of the contact and those to the contact, each with how far it came.
#[utoipa::path(get, path = "/api/v1/conversations/{id}/messages", tag = "Conversations",
    params(PageParams),
    responses((status = 200, description = "A page of messages.", body = List<MessageView>)))]
pub async fn messages(cx: Cx) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().conversations.messages(cx.access(), cx.named(&CONVERSATION)?, paging.request).await?;
    Ok(cx.page(&paging, page, |message| MessageView::from(message)))
}

/// Writes into a conversation.
///
/// It is queued, or suppressed with its reason. A `note` is private and never sent. When a person
/// writes, the conversation opens for people, and no bot speaks until it is resolved.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/messages", tag = "Conversations",
    request_body = WriteMessage, responses(
    (status = 202, description = "The message: `queued`, `suppressed`, or a note, which is `noted`.", body = MessageView),
    (status = 409, description = "`no_channel`: the conversation's channel was deleted.")))]
pub async fn write(cx: Cx) -> Result<Answer, Problem> {
    let WriteMessage { content } = cx.body()?;
    let conversation = cx.named(&CONVERSATION)?;
    let render = |done: &Done<Message>| {
        show_message(&done.value).outcome(done.outcome).located(format!("/api/v1/messages/{}", done.value.id))
    };
    let service = &cx.services().conversations;
    cx.run_idempotent(render, async |idempotency| service.write(cx.access(), conversation, content, idempotency).await)
        .await
}

/// Shows a message, and how far it came.
///
/// `queued` becomes `sending` and `sent`, then `delivered` and `read` where the provider reports it; or it ends as
/// `failed`, as `suppressed` with the reason, or as `uncertain`.
#[utoipa::path(get, path = "/api/v1/messages/{id}", tag = "Conversations",
    responses((status = 200, description = "The message.", body = MessageView)))]
pub async fn message(cx: Cx) -> Result<Answer, Problem> {
    Ok(show_message(&cx.services().conversations.message(cx.access(), cx.named(&MESSAGE)?).await?))
}

fn show_message(message: &Message) -> Answer {
    Answer::object(&MessageView::from(message), message.version)
}

/// Declares a conversation done.
///
/// It goes back to the bot; the next message opens it again.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/resolve", tag = "Conversations",
    responses((status = 200, description = "The conversation, resolved.", body = ConversationView)))]
pub async fn resolve(cx: Cx) -> Result<Answer, Problem> {
    let id = cx.named(&CONVERSATION)?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(shown(&cx, id)).await?;
        cx.services().conversations.resolve(cx.access(), id, &expected, idempotency).await
    })
    .await
}

/// Opens a conversation that was resolved or snoozed.
///
/// It stands among the open ones again.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/reopen", tag = "Conversations",
    responses((status = 200, description = "The conversation, neither resolved nor snoozed.", body = ConversationView)))]
pub async fn reopen(cx: Cx) -> Result<Answer, Problem> {
    let id = cx.named(&CONVERSATION)?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(shown(&cx, id)).await?;
        cx.services().conversations.reopen(cx.access(), id, &expected, idempotency).await
    })
    .await
}

/// Takes a conversation out of sight until a time, or until the contact writes.
///
/// It comes back by itself; a message of the contact brings it back at once.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/snooze", tag = "Conversations",
    request_body = SnoozeConversation, responses(
    (status = 200, description = "The conversation, snoozed.", body = ConversationView),
    (status = 409, description = "`conversation_resolved`: reopen it first.")))]
pub async fn snooze(cx: Cx) -> Result<Answer, Problem> {
    let SnoozeConversation { until } = cx.body()?;
    let id = cx.named(&CONVERSATION)?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(shown(&cx, id)).await?;
        cx.services().conversations.snooze(cx.access(), id, until, &expected, idempotency).await
    })
    .await
}

/// Assigns a conversation to a member of the workspace, or to nobody.
///
/// Who is assigned has it: it opens for people, and no bot speaks until it is resolved.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/assign", tag = "Conversations",
    request_body = AssignConversation,
    responses((status = 200, description = "The conversation, assigned.", body = ConversationView)))]
pub async fn assign(cx: Cx) -> Result<Answer, Problem> {
    let AssignConversation { assignee_id: assignee } = cx.body()?;
    let id = cx.named(&CONVERSATION)?;
    cx.run_idempotent(show, async |idempotency| {
        let expected = cx.expected(shown(&cx, id)).await?;
        cx.services().conversations.assign(cx.access(), id, assignee, &expected, idempotency).await
    })
    .await
}

/// Notes that somebody looked at what the contact wrote.
///
/// It counts as unread no more, for everybody. Nothing is told to the contact.
#[utoipa::path(post, path = "/api/v1/conversations/{id}/read", tag = "Conversations",
    responses((status = 200, description = "The conversation, with nothing unread.", body = ConversationView)))]
pub async fn read(cx: Cx) -> Result<Answer, Problem> {
    let id = cx.named(&CONVERSATION)?;
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

/// The id of a member, or `none`.
fn assigned() -> impl Read<AssignedTo> + Describe {
    string(|text| match text {
        AssignedTo::NOBODY => Ok(AssignedTo::Nobody),
        id => texts::id(id).map(AssignedTo::Member),
    })
    .with(|it| it.pattern(Some("^(none|user_[0-7][0-9a-hjkmnp-tv-z]{25})$")))
}

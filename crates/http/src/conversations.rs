//! `/conversations`: what was said with a contact on a channel.

use tidings_domain::conversations::{ConversationFilter, ConversationStatus, ConversationView, MessageView};
use tidings_domain::ids::{ChannelId, ContactId, ConversationId, UserId};
use tidings_domain::time::Timestamp;
use utoipa::IntoParams;

use crate::answer::Answer;
use crate::paging::{List, PageParams};
use crate::problem::Problem;
use crate::query::time;
use crate::request::Cx;
use crate::values::{id, word};

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
    /// With this contact.
    #[param(inline)]
    contact_id: Option<ContactId>,
    /// On this channel.
    #[param(inline)]
    channel_id: Option<ChannelId>,
    /// Changed at this time or later.
    #[param(inline)]
    updated_after: Option<Timestamp>,
}

/// Lists conversations that pass all filters.
#[utoipa::path(get, path = "/api/v1/conversations", tag = "Conversations", params(ConversationFilters, PageParams),
    responses((status = 200, description = "A page of conversations.", body = List<ConversationView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query()?;
    let filter = ConversationFilter {
        status: query.one("status", word(ConversationStatus::WORDS, ConversationStatus::parse)),
        assignee: query.one("assignee_id", id),
        contact: query.one("contact_id", id),
        channel: query.one("channel_id", id),
        updated_after: query.one("updated_after", time),
    };
    query.finish().map_err(Problem::validation)?;
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

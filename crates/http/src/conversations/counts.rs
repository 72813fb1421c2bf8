//! `/conversations/counts`: the number of conversations in each view of the inbox.

use tidings_domain::contacts::TagRef;
use tidings_domain::conversations::{AssignedTo, ConversationFilter, InboxCounts};
use tidings_domain::ids::ChannelId;
use tidings_domain::read;

use super::assigned;
use crate::contacts::{MAX_TAGS, find_tags, tag};
use crate::request::RequestContext;
use crate::request::query::{flag, parameters};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

parameters! {
    struct CountFilters {
        /// Only conversations assigned to this member; `none` for unassigned conversations. `mine` and `unassigned`
        /// ignore it.
        one assigned as "assignee_id": AssignedTo = assigned();
        /// Only conversations with unread messages (`true`), or without (`false`). `unread` ignores it.
        one unread: bool = flag();
        /// Only conversations on this channel.
        one channel_id: ChannelId = read::id();
        /// Only conversations of contacts with this tag, by ID or name. If repeated, contacts must have all tags.
        many tags as "tag": TagRef = tag(), MAX_TAGS;
    }
}

/// Count conversations.
///
/// Returns the number of conversations in each view of an inbox, of all conversations that match all filters.
#[utoipa::path(get, path = "/api/v1/conversations/counts", tag = "Conversations", params(CountFilters),
    responses((status = 200, description = "The numbers of conversations.", body = InboxCounts)))]
pub async fn counts(cx: RequestContext) -> Result<Answer, Problem> {
    let CountFilters { assigned, unread, channel_id, tags } = cx.parameters()?;
    let tags = find_tags(&cx, tags).await?;
    let filter = ConversationFilter { assigned, unread, channel: channel_id, tags, ..ConversationFilter::default() };
    Ok(Answer::json(&cx.services().conversations.counts(cx.access(), &filter).await?))
}

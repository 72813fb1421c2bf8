//! Lists of conversations: which, in what order, and how many.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use tidings_domain::conversations::{AssignedTo, Conversation, ConversationFilter, ConversationStatus};
use tidings_domain::ids::TypedId;
use tidings_domain::pagination::{Page, Position, SortBy, SortKey, SortedPage, SortedRequest, Total};

use super::ConversationRow;
use crate::checked::Checked;
use crate::connection::{Connection, Part, load, load_free, sorted_keyset, whole};
use crate::contact_lists::containing;
use crate::faults::Fault;
use crate::schema::{contacts, conversations};
use crate::types::{DbId, DbTime};

/// As the indexes of what nobody has looked at say it.
const UNREAD: &str = "conversations.unread_count > 0";

/// A boxed query, narrowed to what the filter admits. It goes by one part, the one that has the fewest: contact, member,
/// what is unread, status; the others are checked. Names are looked up conversation by conversation.
macro_rules! admitted {
    ($query:expr, $ws:expr, $filter:expr) => {{
        let (ws, filter): (DbId, &ConversationFilter) = ($ws, $filter);
        let mut query = $query;
        let mut is_led = false;
        let mut leads = || !std::mem::replace(&mut is_led, true);
        query = match filter.contact {
            Some(contact) if leads() => query
                .filter(conversations::contact_id.eq(DbId::from(contact)))
                .filter(conversations::workspace_id.checked(ws)),
            _ => query.filter(conversations::workspace_id.eq(ws)),
        };
        query = match filter.assigned {
            Some(AssignedTo::Member(member)) if leads() => {
                query.filter(conversations::assignee_id.eq(DbId::from(member)))
            }
            Some(AssignedTo::Member(member)) => query.filter(conversations::assignee_id.checked(DbId::from(member))),
            Some(AssignedTo::Nobody) => query.filter(conversations::assignee_id.is_null()),
            None => query,
        };
        query = match filter.unread {
            Some(true) if leads() => query.filter(sql::<Bool>(UNREAD)),
            Some(true) => query.filter(conversations::unread_count.ne(0)),
            Some(false) => query.filter(conversations::unread_count.eq(0)),
            None => query,
        };
        query = match filter.status.map(ConversationStatus::as_str) {
            Some(status) if leads() => query.filter(conversations::status.eq(status)),
            Some(status) => query.filter(conversations::status.checked(status)),
            None => query,
        };
        query = if leads() { whole!(query, conversations::updated_at) } else { query };
        if let Some(channel) = filter.channel {
            query = query.filter(conversations::channel_id.checked(DbId::from(channel)));
        }
        if let Some(after) = filter.updated_after {
            query = query.filter(conversations::updated_at.ge(DbTime(after)));
        }
        for word in &filter.words {
            let called = contacts::table
                .filter(contacts::workspace_id.eq(ws))
                .filter(contacts::id.eq(conversations::contact_id))
                .filter(contacts::search_text.like(containing(word)).escape('\\'))
                .offset(0);
            query = query.filter(diesel::dsl::exists(called));
        }
        query
    }};
}

/// Rows of a query of which there are as many forms as filters, or, where it has words, any number.
macro_rules! rows {
    ($c:expr, $filter:expr, $query:expr) => {
        match $filter.words.is_empty() {
            true => load!($c, $query),
            false => load_free!($c, $query),
        }
    };
}

/// A page.
pub(super) async fn page(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: &ConversationFilter,
    page: &SortedRequest,
) -> Result<SortedPage<Conversation>, Fault> {
    let (by, descending) = (page.order.by, page.order.descending);
    let time = |key: &SortKey| key.time().map(DbTime);
    let mut rows: Vec<ConversationRow> = Vec::new();
    for part in Part::of(page.after.as_ref(), by == SortBy::LastMessageAt) {
        let left = (page.limit as usize + 1).saturating_sub(rows.len());
        if left == 0 {
            break;
        }
        let more: Vec<ConversationRow> = rows!(c, filter, {
            let query = conversations::table.select(ConversationRow::as_select()).into_boxed::<Db>();
            let query = admitted!(query, ws, filter);
            let query = match by {
                SortBy::LastMessageAt => {
                    sorted_keyset!(query, part, descending, conversations::last_message_at, conversations::id, time)
                }
                _ => sorted_keyset!(query, part, descending, conversations::created_at, conversations::id, time),
            };
            query.limit(i64::try_from(left).unwrap_or(i64::MAX))
        })?;
        rows.extend(more);
    }
    let found = rows.into_iter().map(ConversationRow::read).collect::<Result<Vec<_>, _>>()?;
    let total = match page.counted {
        true if page.is_all(found.len()) => Some(Total::of(found.len() as u64)),
        true => Some(count(c, ws, filter).await?),
        false => None,
    };
    let place = |it: &Conversation| Position { at: it.sort_key(by), id: it.id.uuid() };
    Ok(Page::cut(found, page.limit, place).of_total(total))
}

async fn count(c: &mut Connection<'_>, ws: DbId, filter: &ConversationFilter) -> Result<Total, Fault> {
    let most = i64::try_from(Total::MOST + 1).unwrap_or(i64::MAX);
    let ids: Vec<DbId> = rows!(c, filter, {
        let query = conversations::table.select(conversations::id).into_boxed::<Db>();
        admitted!(query, ws, filter).limit(most)
    })?;
    Ok(Total::of(ids.len() as u64))
}

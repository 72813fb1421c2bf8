//! Lists of conversations: filters, order and counts.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use tidings_domain::conversations::{AssignedTo, Conversation, ConversationFilter, ConversationStatus};
use tidings_domain::ids::TypedId;
use tidings_domain::pagination::{Page, Position, SortBy, SortKey, SortedPage, SortedRequest, Total};
use tidings_domain::time::Timestamp;

use super::ConversationRow;
use super::index_filter::IndexFilter;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, Part, for_each_backend, load, sorted_keyset};
use crate::contacts::contact_lists::containing;
use crate::queries::list_index::whole_list;
use crate::queries::prepared_query::BoundedQuery;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{contact_tags, contacts, conversations};

/// Must match the text of the indexes on unread conversations.
const UNREAD: &str = "conversations.unread_count > 0";
/// Must match the text of the index on waiting contacts.
const WAITING: &str = "conversations.waiting_since IS NOT NULL";
/// The same condition in a form that no index supports, see [`UnindexedFilter`].
const IS_WAITING: &str = "(conversations.waiting_since IS NOT NULL) IS NOT DISTINCT FROM TRUE";
const IS_NOT_WAITING: &str = "(conversations.waiting_since IS NULL) IS NOT DISTINCT FROM TRUE";

/// A list starts from a tag's contacts if there are at most this many.
const FEW: usize = 500;

/// Returns the contacts with the first requested tag, if they are few.
async fn carriers(c: &mut Connection<'_>, ws: DbId, filter: &ConversationFilter) -> Result<Option<Vec<DbId>>, Fault> {
    let (Some(tag), None) = (filter.tags.first(), filter.contact) else { return Ok(None) };
    let found: Vec<DbId> = load!(
        c,
        contact_tags::table
            .filter(contact_tags::workspace_id.eq_unindexed(ws))
            .filter(contact_tags::tag_id.eq(DbId::from(*tag)))
            .select(contact_tags::contact_id)
            .limit(i64::try_from(FEW).unwrap_or(i64::MAX) + 1)
    )?;
    Ok(Some(found).filter(|found| found.len() <= FEW))
}

type Conversations<'q, Db, ST> = conversations::BoxedQuery<'q, Db, ST>;

trait Narrow: diesel::backend::Backend {
    /// Narrows a query to the conversations that the filter accepts, in the order `by`. It uses the index of one part,
    /// the [`IndexFilter`], and only checks the others. Names and tags are looked up for each conversation.
    fn admitted<'q, ST>(
        query: Conversations<'q, Self, ST>,
        ws: DbId,
        filter: &ConversationFilter,
        carriers: Option<&Vec<DbId>>,
        by: SortBy,
    ) -> Conversations<'q, Self, ST>;
}

for_each_backend! {
    impl Narrow for Db {
        fn admitted<'q, ST>(
            query: Conversations<'q, Db, ST>,
            ws: DbId,
            filter: &ConversationFilter,
            carriers: Option<&Vec<DbId>>,
            by: SortBy,
        ) -> Conversations<'q, Db, ST> {
            let lead = IndexFilter::of(filter, carriers.is_some(), by);
            let query = match (filter.contact, carriers) {
                (Some(contact), _) => query
                    .filter(conversations::contact_id.eq(DbId::from(contact)))
                    .filter(conversations::workspace_id.eq_unindexed(ws)),
                (None, Some(carriers)) => query
                    .filter(conversations::contact_id.eq_any(carriers.clone()))
                    .filter(conversations::workspace_id.eq_unindexed(ws)),
                (None, None) => query.filter(conversations::workspace_id.eq(ws)),
            };
            let query = match filter.assigned {
                Some(AssignedTo::Member(member)) if lead == IndexFilter::Member => {
                    query.filter(conversations::assignee_id.eq(DbId::from(member)))
                }
                Some(AssignedTo::Member(member)) => {
                    query.filter(conversations::assignee_id.eq_unindexed(DbId::from(member)))
                }
                Some(AssignedTo::Nobody) => query.filter(conversations::assignee_id.is_null()),
                None => query,
            };
            let query = match filter.unread {
                Some(true) if lead == IndexFilter::Unread => query.filter(sql::<Bool>(UNREAD)),
                Some(true) => query.filter(conversations::unread_count.ne(0)),
                Some(false) => query.filter(conversations::unread_count.eq(0)),
                None => query,
            };
            let query = match filter.status.map(ConversationStatus::as_str) {
                Some(status) if lead == IndexFilter::Status => query.filter(conversations::status.eq(status)),
                Some(status) => query.filter(conversations::status.eq_unindexed(status)),
                None => query,
            };
            let query = match filter.waiting {
                // Each part in this order contains either only waiting or only other conversations.
                Some(_) if by == SortBy::WaitingSince => query,
                Some(true) if lead == IndexFilter::Waiting => query.filter(sql::<Bool>(WAITING)),
                Some(true) => query.filter(sql::<Bool>(IS_WAITING)),
                Some(false) => query.filter(sql::<Bool>(IS_NOT_WAITING)),
                None => query,
            };
            let mut query = match lead == IndexFilter::Whole {
                true => query.filter(whole_list(conversations::updated_at)),
                false => query,
            };
            if let Some(channel) = filter.channel {
                query = query.filter(conversations::channel_id.eq_unindexed(DbId::from(channel)));
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
            for tag in filter.tags.iter().skip(usize::from(carriers.is_some())) {
                let carried = contact_tags::table
                    .filter(contact_tags::workspace_id.eq(ws))
                    .filter(contact_tags::tag_id.eq(DbId::from(*tag)))
                    .filter(contact_tags::contact_id.eq(conversations::contact_id))
                    .offset(0);
                query = query.filter(diesel::dsl::exists(carried));
            }
            query
        }
    }
}

/// Returns true if the number of rows to read cannot be estimated.
pub(super) fn is_free(filter: &ConversationFilter) -> bool {
    !(filter.words.is_empty() && filter.tags.is_empty())
}

/// Marks a query whose forms are few unless the filter has words or tags.
fn bounded<Q>(query: Q, filter: &ConversationFilter) -> BoundedQuery<Q> {
    BoundedQuery { query, bounded: !is_free(filter) }
}

pub(super) async fn page(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: &ConversationFilter,
    page: &SortedRequest,
) -> Result<SortedPage<Conversation>, Fault> {
    let (by, descending) = (page.order.by, page.order.descending);
    let is_by_waiting = by == SortBy::WaitingSince;
    let time = |key: &SortKey| key.time().map(DbTime);
    let carriers = carriers(c, ws, filter).await?;
    let mut rows: Vec<ConversationRow> = Vec::new();
    let parts = Part::of(page.after.as_ref(), is_by_waiting || by == SortBy::LastMessageAt).into_iter();
    // Either value of the waiting filter needs only one of the parts.
    for part in parts.filter(|part| !is_by_waiting || filter.waiting.is_none_or(|waiting| waiting == part.valued)) {
        let left = (page.limit as usize + 1).saturating_sub(rows.len());
        if left == 0 {
            break;
        }
        let more: Vec<ConversationRow> = load!(uncached, c, {
            let query = conversations::table.select(ConversationRow::as_select()).into_boxed::<Db>();
            let query = Db::admitted(query, ws, filter, carriers.as_ref(), by);
            let query = match by {
                SortBy::LastMessageAt => {
                    sorted_keyset!(query, part, descending, conversations::last_message_at, conversations::id, time)
                }
                SortBy::WaitingSince => {
                    // The range also lets an index on this column be used.
                    let waits = conversations::waiting_since.ge(DbTime(Timestamp::from_millis(i64::MIN)));
                    let query = if part.valued { query.filter(waits) } else { query };
                    sorted_keyset!(query, part, descending, conversations::waiting_since, conversations::id, time)
                }
                SortBy::CreatedAt | SortBy::UpdatedAt | SortBy::Name | SortBy::FoldedName => {
                    sorted_keyset!(query, part, descending, conversations::created_at, conversations::id, time)
                }
            };
            bounded(query.limit(i64::try_from(left).unwrap_or(i64::MAX)), filter)
        })?;
        rows.extend(more);
    }
    let found = rows.into_iter().map(ConversationRow::read).collect::<Result<Vec<_>, _>>()?;
    let total = match page.counted {
        true if page.is_all(found.len()) => Some(Total::of(found.len() as u64)),
        true => Some(count_led(c, ws, filter, carriers.as_ref()).await?),
        false => None,
    };
    let place = |it: &Conversation| Position { at: it.sort_key(by), id: it.id.uuid() };
    Ok(Page::cut(found, page.limit, place).of_total(total))
}

pub(super) async fn count(c: &mut Connection<'_>, ws: DbId, filter: &ConversationFilter) -> Result<Total, Fault> {
    let carriers = carriers(c, ws, filter).await?;
    count_led(c, ws, filter, carriers.as_ref()).await
}

async fn count_led(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: &ConversationFilter,
    carriers: Option<&Vec<DbId>>,
) -> Result<Total, Fault> {
    let most = i64::try_from(Total::MOST + 1).unwrap_or(i64::MAX);
    if filter.status.is_some() && IndexFilter::of(filter, carriers.is_some(), SortBy::CreatedAt) == IndexFilter::Unread
    {
        return count_unread(c, ws, filter, most).await;
    }
    // An order has one index per lead. Without an order, the planner could choose another index and read more rows.
    let by = if filter.waiting == Some(true) { SortBy::WaitingSince } else { SortBy::CreatedAt };
    let ids: Vec<DbId> = load!(uncached, c, {
        let query = conversations::table.select(conversations::id).into_boxed::<Db>();
        let query = Db::admitted(query, ws, filter, carriers, by);
        let query = match by {
            SortBy::WaitingSince => query
                .filter(conversations::waiting_since.ge(DbTime(Timestamp::from_millis(i64::MIN))))
                .order(conversations::waiting_since.asc()),
            SortBy::CreatedAt | SortBy::UpdatedAt | SortBy::LastMessageAt | SortBy::Name | SortBy::FoldedName => {
                query.order(conversations::created_at.asc())
            }
        };
        bounded(query.limit(most), filter)
    })?;
    Ok(Total::of(ids.len() as u64))
}

/// Counts the conversations with unread messages among the newest ones of a status. Most unread conversations of a
/// workspace can have another status, and the index of unread conversations does not contain the status.
async fn count_unread(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: &ConversationFilter,
    most: i64,
) -> Result<Total, Fault> {
    let of_status = ConversationFilter { unread: None, ..filter.clone() };
    let unread: Vec<i64> = load!(uncached, c, {
        let query = conversations::table.select(conversations::unread_count).into_boxed::<Db>();
        let query = Db::admitted(query, ws, &of_status, None, SortBy::CreatedAt);
        bounded(query.order(conversations::created_at.desc()).limit(most), filter)
    })?;
    let number = unread.iter().filter(|number| **number > 0).count() as u64;
    let is_capped = i64::try_from(unread.len()).is_ok_and(|rows| rows == most);
    Ok(Total { is_capped, ..Total::of(number) })
}

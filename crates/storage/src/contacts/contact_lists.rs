//! Lists of contacts: filters, order and counts.

use diesel::dsl::{count_star, exists, not};
use diesel::prelude::*;
use tidings_domain::contacts::{ContactFilter, Deleted, MatchPattern};
use tidings_domain::pagination::{SortBy, SortKey, SortedRequest};
use tidings_domain::time::Timestamp;

use crate::broadcasts::ChooseUnreached;
use crate::conditions::unindexed::UnindexedFilter;
use crate::conditions::{Chosen, Compile};
use crate::connection::faults::Fault;
use crate::connection::{Connection, Part, for_each_backend, load, sorted_keyset};
use crate::contacts::tags_and_fields::TagsAndFields;
use crate::contacts::{ContactRow, ReadRow};
use crate::queries::list_index::{ScanOrder, whole_list};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{contact_identities, contact_tags, contact_values, contacts};

/// Returns a LIKE pattern that matches texts containing `text`.
pub(crate) fn containing(text: &str) -> String {
    let escaped: String =
        text.chars().flat_map(|c| ['\\'].into_iter().filter(move |_| "%_\\".contains(c)).chain([c])).collect();
    format!("%{escaped}%")
}

/// A list starts from a tag's contacts if there are at most this many.
const FEW: usize = 500;

/// Returns the contacts with the first requested tag, if they are few. PostgreSQL then does not have to estimate their
/// number.
async fn few(c: &mut Connection<'_>, ws: DbId, filter: &ContactFilter) -> Result<Option<Vec<DbId>>, Fault> {
    let (Connection::Postgres(_), Some(tag)) = (&*c, filter.tags.first()) else { return Ok(None) };
    let carriers: Vec<DbId> = load!(
        c,
        contact_tags::table
            .filter(contact_tags::workspace_id.eq_unindexed(ws))
            .filter(contact_tags::tag_id.eq(DbId::from(*tag)))
            .select(contact_tags::contact_id)
            .limit(i64::try_from(FEW).unwrap_or(i64::MAX) + 1)
    )?;
    Ok(Some(carriers).filter(|carriers| carriers.len() <= FEW))
}

/// Narrows boxed queries. Tags and values are looked up for each contact: without statistics, a join might read both
/// tables for each row. `OFFSET` prevents the join.
pub(super) trait Narrow: diesel::backend::Backend {
    /// Narrows a query to the contacts that the filter accepts.
    fn admitted<'q, ST>(query: Contacts<'q, Self, ST>, ws: DbId, filter: &ContactFilter) -> Contacts<'q, Self, ST>;

    /// Narrows a query without an order in the same way.
    fn scanned<'q, ST>(query: Contacts<'q, Self, ST>, ws: DbId, filter: &ContactFilter) -> Contacts<'q, Self, ST>;
}

pub(super) type Contacts<'q, Db, ST> = contacts::BoxedQuery<'q, Db, ST>;

for_each_backend! {
    impl Narrow for Db {
        fn admitted<'q, ST>(query: Contacts<'q, Db, ST>, ws: DbId, filter: &ContactFilter) -> Contacts<'q, Db, ST> {
            let mut query = query.filter(contacts::workspace_id.eq(ws));
            query = match filter.deleted {
                Deleted::Exclude => query.filter(contacts::deleted_at.is_null()),
                Deleted::Include => query,
                Deleted::Only => query.filter(contacts::deleted_at.is_not_null()),
            };
            for word in &filter.words {
                query = query.filter(contacts::search_text.like(containing(word)).escape('\\'));
            }
            if let Some(email) = &filter.email {
                query = query.filter(contacts::email.between(email.key().to_owned(), email.key().to_owned()));
            }
            if let Some(phone) = &filter.phone {
                query = query.filter(contacts::phone.between(phone.to_string(), phone.to_string()));
            }
            if let Some(external_id) = &filter.external_id {
                let text = external_id.to_string();
                query = query.filter(contacts::external_id.between(text.clone(), text));
            }
            if let Some(status) = filter.status {
                query = query.filter(contacts::status.eq(status.as_str()));
            }
            if let Some(subscribed) = filter.subscribed {
                query = query.filter(contacts::subscribed.eq(subscribed));
            }
            if let Some(after) = filter.created_after {
                query = query.filter(contacts::created_at.ge(DbTime(after)));
            }
            if let Some(before) = filter.created_before {
                query = query.filter(contacts::created_at.lt(DbTime(before)));
            }
            if let Some(after) = filter.updated_after {
                query = query.filter(contacts::updated_at.ge(DbTime(after)));
            }
            if let Some(before) = filter.updated_before {
                query = query.filter(contacts::updated_at.lt(DbTime(before)));
            }
            if let Some(channel) = filter.channel {
                let on_channel = || {
                    contact_identities::table
                        .filter(contact_identities::workspace_id.eq(ws))
                        .filter(contact_identities::channel_id.eq(DbId::from(channel)))
                        .filter(contact_identities::live.eq(true))
                        .filter(contact_identities::contact_id.eq(contacts::id))
                };
                let opted_in = || on_channel().filter(contact_identities::opted_in.eq(true)).offset(0);
                query = match filter.opted_in {
                    None => query.filter(exists(on_channel().offset(0))),
                    Some(true) => query.filter(exists(opted_in())),
                    Some(false) => query.filter(exists(on_channel().offset(0))).filter(not(exists(opted_in()))),
                };
            }
            for tag in &filter.tags {
                let carried = contact_tags::table
                    .filter(contact_tags::workspace_id.eq(ws))
                    .filter(contact_tags::tag_id.eq(DbId::from(*tag)))
                    .filter(contact_tags::contact_id.eq(contacts::id))
                    .offset(0);
                query = query.filter(exists(carried));
            }
            for field in &filter.fields {
                let carried = contact_values::table
                    .filter(contact_values::workspace_id.eq(ws))
                    .filter(contact_values::field_id.eq(DbId::from(field.field)))
                    .filter(contact_values::contact_id.eq(contacts::id));
                let (mut pattern, mut held) = (&field.pattern, true);
                while let MatchPattern::Not(inner) = pattern {
                    (pattern, held) = (inner, !held);
                }
                use contact_values::{elements, match_key};
                let test: Chosen<Db> = match pattern {
                    MatchPattern::Equal(key) => Box::new(exists(carried.filter(match_key.eq(key.clone())).offset(0))),
                    MatchPattern::Element(element) => {
                        let has = elements.like(containing(element)).escape('\\');
                        Box::new(exists(carried.filter(has).offset(0)))
                    }
                    MatchPattern::Below { key, or_equal: true } => {
                        Box::new(exists(carried.filter(match_key.le(key.clone())).offset(0)))
                    }
                    MatchPattern::Below { key, .. } => {
                        Box::new(exists(carried.filter(match_key.lt(key.clone())).offset(0)))
                    }
                    MatchPattern::Above { key, or_equal: true } => {
                        Box::new(exists(carried.filter(match_key.ge(key.clone())).offset(0)))
                    }
                    MatchPattern::Above { key, .. } => {
                        Box::new(exists(carried.filter(match_key.gt(key.clone())).offset(0)))
                    }
                    MatchPattern::Any | MatchPattern::Not(_) => Box::new(exists(carried.offset(0))),
                };
                query = if held { query.filter(test) } else { query.filter(not(test)) };
            }
            if let Some(selection) = &filter.selection {
                query = query.filter(Db::chosen(ws, selection));
            }
            if let Some(unreached) = &filter.unreached {
                query = query.filter(Db::unreached(ws, Some(unreached)));
            }
            query
        }

        fn scanned<'q, ST>(query: Contacts<'q, Db, ST>, ws: DbId, filter: &ContactFilter) -> Contacts<'q, Db, ST> {
            let query = Self::admitted(query, ws, filter).filter(whole_list(contacts::updated_at));
            let made = contacts::created_at.ge(DbTime(Timestamp::from_millis(i64::MIN)));
            if has_range(filter) { query } else { query.filter(ScanOrder(made)) }
        }
    }
}

/// Returns true if the number of matching contacts cannot be estimated. The planner then chooses the order of the
/// lookups.
pub(crate) fn is_free(filter: &ContactFilter) -> bool {
    !(filter.words.is_empty() && filter.tags.is_empty() && filter.fields.is_empty())
        || filter.selection.is_some()
        || filter.unreached.is_some()
        || filter.channel.is_some()
        || filter.deleted != Deleted::Exclude
}

fn has_range(it: &ContactFilter) -> bool {
    let by_name = it.email.is_some() || it.phone.is_some() || it.external_id.is_some();
    let times = [it.created_after, it.created_before, it.updated_after, it.updated_before];
    by_name || times.iter().any(Option::is_some)
}

/// Returns true if contacts may lack the value of this order.
pub(crate) fn is_nullable(by: SortBy) -> bool {
    matches!(by, SortBy::LastMessageAt | SortBy::Name | SortBy::FoldedName)
}

/// Returns one row more than the page, in order.
pub(crate) async fn list(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: &ContactFilter,
    page: &SortedRequest,
) -> Result<Vec<ReadRow>, Fault> {
    let nullable = is_nullable(page.order.by);
    let descending = page.order.descending;
    let time = |key: &SortKey| key.time().map(DbTime);
    let text = |key: &SortKey| key.text().map(ToOwned::to_owned);
    let collated = |key: &SortKey| key.collated().map(ToOwned::to_owned);
    let mut rows: Vec<ReadRow> = Vec::new();
    let few = few(c, ws, filter).await?;
    for part in Part::of(page.after.as_ref(), nullable) {
        let left = (page.limit as usize + 1).saturating_sub(rows.len());
        if left == 0 {
            break;
        }
        let more: Vec<ReadRow> = load!(uncached, c, {
            let query = contacts::table.select((ContactRow::as_select(), TagsAndFields)).into_boxed::<Db>();
            let query = Db::admitted(query, ws, filter).filter(whole_list(contacts::updated_at));
            let query = match &few {
                Some(few) => query.filter(contacts::id.eq_any(few.clone())),
                None => query,
            };
            let query = match page.order.by {
                SortBy::CreatedAt | SortBy::WaitingSince => {
                    sorted_keyset!(query, part, descending, contacts::created_at, contacts::id, time)
                }
                SortBy::UpdatedAt => sorted_keyset!(query, part, descending, contacts::updated_at, contacts::id, time),
                SortBy::LastMessageAt => {
                    sorted_keyset!(query, part, descending, contacts::last_message_at, contacts::id, time)
                }
                SortBy::Name => sorted_keyset!(query, part, descending, contacts::sort_key, contacts::id, collated),
                SortBy::FoldedName => sorted_keyset!(query, part, descending, contacts::name_key, contacts::id, text),
            };
            // At most one contact matches among those that are not deleted, and the order does not matter.
            let is_living = filter.deleted == Deleted::Exclude;
            let query = match (&filter.email, &filter.phone, &filter.external_id) {
                (Some(_), _, _) if is_living => query.order(contacts::email.asc()),
                (_, Some(_), _) if is_living => query.order(contacts::phone.asc()),
                (_, _, Some(_)) if is_living => query.order(contacts::external_id.asc()),
                _ => query,
            };
            query.limit(i64::try_from(left).unwrap_or(i64::MAX))
        })?;
        rows.extend(more);
    }
    Ok(rows)
}

pub(crate) async fn count(c: &mut Connection<'_>, ws: DbId, filter: &ContactFilter, most: u64) -> Result<u64, Fault> {
    if most == u64::MAX {
        return count_all(c, ws, filter).await;
    }
    let ids: Vec<DbId> = load!(uncached, c, {
        let query = contacts::table.select(contacts::id).into_boxed::<Db>();
        Db::scanned(query, ws, filter).limit(i64::try_from(most).unwrap_or(i64::MAX))
    })?;
    Ok(ids.len() as u64)
}

/// Counts all contacts of a filter in the database, so their IDs are not read.
async fn count_all(c: &mut Connection<'_>, ws: DbId, filter: &ContactFilter) -> Result<u64, Fault> {
    let counted: Vec<i64> = load!(uncached, c, {
        let query = contacts::table.select(count_star()).into_boxed::<Db>();
        Db::scanned(query, ws, filter)
    })?;
    Ok(counted.into_iter().map(i64::unsigned_abs).sum())
}

//! Tags.

mod links;

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt};
use tidings_domain::access::Access;
use tidings_domain::ids::{TagId, TypedId};
use tidings_domain::list_filter::{FilterFields, NameFilter};
use tidings_domain::pagination::{Page, Position, SortBy, SortKey, SortedPage, SortedRequest, sorted_page_of};
use tidings_domain::ports::{StoreError, TagQueries};
use tidings_domain::tags::Tag;

use crate::Storage;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, MOST_COUNTED, Part, by_keys, find, load, needs_count, sorted_keyset, total_of};
use crate::queries::first_row::FirstRow;
use crate::queries::list_index::whole_list;
use crate::queries::loader::Found;
use crate::queries::named_lists;
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id};
use crate::schema::{contact_tags, contacts, tags};
use crate::write::declared::Tabled;
pub(crate) use links::{LinkRow, link, sweep, unlink};

crate::write::write_texts! {
    TagRow: crate::write::Shape::of("tags"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = tags)]
    pub(crate) struct TagRow in tags {
        workspace_id: DbId,
        id: DbId,
        name: String,
        name_key: String,
        sort_key: Option<Vec<u8>>,
        sorted_version: Option<i64>,
        color: Option<String>,
        description: Option<String>,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
    }
}

impl Tabled for Tag {
    type Row = TagRow;

    fn row(workspace_id: DbId, it: &Self) -> Result<TagRow, Fault> {
        Ok(TagRow {
            workspace_id,
            id: it.id.into(),
            name: it.name.clone(),
            name_key: it.name_key(),
            sort_key: Some(it.name_sort_key()),
            sorted_version: Some(it.version),
            color: it.color.clone(),
            description: it.description.clone(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }
}

impl TagRow {
    pub(crate) fn read(self, contact_count: i64) -> Tag {
        Tag {
            id: self.id.to_typed_id(),
            name: self.name,
            color: self.color,
            description: self.description,
            contact_count,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        }
    }
}

/// Counts tag by tag, and looks up each contact separately.
const COUNTS: &str = "SELECT wanted.tag_id, (SELECT count(*) FROM contact_tags l CROSS JOIN LATERAL (SELECT 1 FROM contacts c \
    WHERE c.workspace_id = l.workspace_id AND c.id = l.contact_id AND c.deleted_at IS NULL LIMIT 1) living \
    WHERE l.tag_id = wanted.tag_id AND l.workspace_id IS NOT DISTINCT FROM $1) AS count \
    FROM unnest((SELECT $2::uuid[])) AS wanted (tag_id)";

#[derive(QueryableByName)]
struct Carriers {
    #[diesel(sql_type = Id)]
    tag_id: DbId,
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// Counts the contacts with each of these tags. Deleted contacts do not count.
async fn counts(c: &mut Connection<'_>, ws: DbId, ids: Vec<DbId>) -> Result<Vec<(DbId, i64)>, Fault> {
    if let Connection::Postgres(connection) = c {
        let query = diesel::sql_query(COUNTS).bind::<Id, _>(ws).bind::<Array<Id>, _>(ids);
        let mut connection: &diesel_async::AsyncPgConnection = connection;
        let rows: Vec<Carriers> = diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?;
        return Ok(rows.into_iter().map(|row| (row.tag_id, row.count)).collect());
    }
    let carried = contact_tags::workspace_id.eq(contacts::workspace_id).and(contact_tags::contact_id.eq(contacts::id));
    load!(
        cached_on_postgres,
        c,
        contact_tags::table
            .inner_join(contacts::table.on(carried))
            .filter(contact_tags::workspace_id.eq(ws))
            .filter(contact_tags::tag_id.eq_any(ids))
            .filter(contacts::deleted_at.is_null())
            .group_by(contact_tags::tag_id)
            .select((contact_tags::tag_id, diesel::dsl::count_star()))
    )
}

/// The columns that filter and sort tags: name, folded name and sort key.
type Brief = (DbId, DbTime, (String, String, Option<Vec<u8>>));

/// Returns a page of the tags that a filter accepts; see [`named_lists`].
async fn narrowed_list(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: &NameFilter,
    page: SortedRequest,
) -> Result<SortedPage<Tag>, Fault> {
    let all: Vec<Brief> = load!(c, {
        let query = tags::table.filter(tags::workspace_id.eq(ws)).filter(whole_list(tags::updated_at));
        let query = query.select((tags::id, tags::created_at, (tags::name, tags::name_key, tags::sort_key)));
        query.order((tags::created_at.asc(), tags::id.asc()))
    })?;
    let admitted: Vec<_> =
        all.into_iter().filter(|(_, _, (name, ..))| filter.admits(&FilterFields::named(name, None))).collect();
    let by = page.order.by;
    let chosen = sorted_page_of(admitted, page, |(id, at, (_, folded, sort_key))| {
        let at = match by {
            SortBy::Name => SortKey::Collated(sort_key.clone()),
            SortBy::FoldedName => SortKey::Text(Some(folded.clone())),
            SortBy::CreatedAt | SortBy::UpdatedAt | SortBy::LastMessageAt | SortBy::WaitingSince => {
                SortKey::Time(Some(at.0))
            }
        };
        Position { at, id: id.0 }
    });
    let chosen = chosen.map(|(id, ..)| id);
    let keys = named_lists::keys(ws, &chosen);
    let rows: Vec<(DbId, TagRow)> =
        by_keys!(&mut *c, keys, tags::table.select((tags::id, TagRow::as_select())), (tags::workspace_id, tags::id))?;
    let counts = counts(c, ws, chosen.items.clone()).await?;
    Ok(named_lists::in_order(chosen, rows)?.map(|row| counted(row, &counts)))
}

/// Returns the rows of a page of all tags, plus one.
async fn rows_of_page(c: &mut Connection<'_>, ws: DbId, page: &SortedRequest) -> Result<Vec<TagRow>, Fault> {
    let time = |key: &SortKey| key.time().map(DbTime);
    let text = |key: &SortKey| key.text().map(ToOwned::to_owned);
    let collated = |key: &SortKey| key.collated().map(ToOwned::to_owned);
    let descending = page.order.descending;
    let mut rows: Vec<TagRow> = Vec::new();
    // The previous release writes tags without a sort key.
    for part in Part::of(page.after.as_ref(), page.order.by == SortBy::Name) {
        let left = (page.limit as usize + 1).saturating_sub(rows.len());
        if left == 0 {
            break;
        }
        let more: Vec<TagRow> = load!(c, {
            let query = tags::table.filter(tags::workspace_id.eq(ws)).select(TagRow::as_select());
            let query = query.filter(whole_list(tags::updated_at)).into_boxed::<Db>();
            let query = match page.order.by {
                SortBy::Name => sorted_keyset!(query, part, descending, tags::sort_key, tags::id, collated),
                SortBy::FoldedName => sorted_keyset!(query, part, descending, tags::name_key, tags::id, text),
                SortBy::CreatedAt | SortBy::UpdatedAt | SortBy::LastMessageAt | SortBy::WaitingSince => {
                    sorted_keyset!(query, part, descending, tags::created_at, tags::id, time)
                }
            };
            query.limit(i64::try_from(left).unwrap_or(i64::MAX))
        })?;
        rows.extend(more);
    }
    Ok(rows)
}

/// Returns the tag with this folded name.
async fn named(c: &mut Connection<'_>, ws: DbId, name: &str) -> Result<Option<Tag>, Fault> {
    let row: Option<TagRow> = find!(c, {
        let of_workspace = tags::table.filter(tags::workspace_id.eq(ws));
        of_workspace
            .select(TagRow::as_select())
            .filter(tags::name_key.between(name.to_owned(), name.to_owned()))
            .order(FirstRow(tags::name_key))
    })?;
    Ok(row.map(|row| row.read(0)))
}

/// Returns the tags with these folded names.
pub(crate) fn find_named(mut c: Connection<'_>, names: Vec<(DbId, String)>) -> Found<'_, (DbId, String), Tag> {
    Box::pin(async move {
        let mut found = HashMap::with_capacity(names.len());
        for (ws, name) in names {
            if let Some(tag) = named(&mut c, ws, &name).await? {
                found.insert((ws, name), tag);
            }
        }
        Ok(found)
    })
}

fn counted(row: TagRow, counts: &[(DbId, i64)]) -> Tag {
    let count = counts.iter().find(|(id, _)| *id == row.id).map_or(0, |(_, count)| *count);
    row.read(count)
}

#[async_trait]
impl TagQueries for Storage {
    async fn get(&self, access: &Access, tag: TagId) -> Result<Option<Tag>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(tag));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<TagRow> = find!(&mut c, tags::table.find((ws, id)).select(TagRow::as_select()))?;
                let Some(row) = row else { return Ok(None) };
                let counts = counts(&mut c, ws, vec![id]).await?;
                Ok(Some(counted(row, &counts)))
            })
        })
        .await
    }

    async fn by_ids(&self, access: &Access, ids: &[TagId]) -> Result<Vec<Tag>, StoreError> {
        let ws = DbId::from(access.workspace());
        let ids: Vec<DbId> = ids.iter().copied().map(DbId::from).collect();
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let keys: Vec<_> = ids.into_iter().map(|id| (ws, id)).collect();
                let rows: Vec<TagRow> =
                    by_keys!(&mut c, keys, tags::table.select(TagRow::as_select()), (tags::workspace_id, tags::id))?;
                Ok(rows.into_iter().map(|row| row.read(0)).collect())
            })
        })
        .await
    }

    async fn by_name_keys(&self, access: &Access, names: &[String]) -> Result<Vec<Tag>, StoreError> {
        let ws = DbId::from(access.workspace());
        if self.shares_lookups() {
            let mut asked = Vec::with_capacity(names.len());
            for name in names {
                asked.push(self.loaders.named_tags.load(&self.backend, (ws, name.clone())));
            }
            return Ok(futures::future::try_join_all(asked).await?.into_iter().flatten().collect());
        }
        let names = names.to_vec();
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let mut found = Vec::new();
                for name in names {
                    found.extend(named(&mut c, ws, &name).await?);
                }
                Ok(found)
            })
        })
        .await
    }

    async fn names_have_sort_keys(&self) -> Result<bool, StoreError> {
        self.have_sort_keys().await
    }

    async fn list(
        &self,
        access: &Access,
        filter: &NameFilter,
        page: SortedRequest,
    ) -> Result<SortedPage<Tag>, StoreError> {
        let ws = DbId::from(access.workspace());
        if filter.narrows() {
            let filter = filter.clone();
            return self
                .read_as_one(ws, move |mut c| Box::pin(async move { narrowed_list(&mut c, ws, &filter, page).await }))
                .await;
        }
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows = rows_of_page(&mut c, ws, &page).await?;
                let found = rows.len();
                let counts = counts(&mut c, ws, rows.iter().map(|row| row.id).collect()).await?;
                let tags = rows.into_iter().map(|mut row| (row.sort_key.take(), counted(row, &counts))).collect();
                let place = |(key, tag): &(Option<Vec<u8>>, Tag)| Position {
                    at: if page.order.by == SortBy::Name {
                        SortKey::Collated(key.clone())
                    } else {
                        tag.sort_key(page.order.by)
                    },
                    id: tag.id.uuid(),
                };
                let mut number = found;
                if needs_count(&page, found) {
                    let ids: Vec<DbId> = load!(&mut c, {
                        let all = tags::table.filter(tags::workspace_id.eq(ws)).into_boxed::<Db>();
                        all.select(tags::id).limit(MOST_COUNTED)
                    })?;
                    number = ids.len();
                }
                Ok(Page::cut(tags, page.limit, place).of_total(total_of(&page, number)).map(|(_, tag)| tag))
            })
        })
        .await
    }

    async fn has_links(&self, access: &Access, tag: TagId) -> Result<bool, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(tag));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let left: Option<DbId> = find!(
                    &mut c,
                    contact_tags::table
                        .filter(contact_tags::workspace_id.eq_unindexed(ws))
                        .filter(contact_tags::tag_id.eq(id))
                        .select(contact_tags::contact_id)
                        .limit(1)
                )?;
                Ok(left.is_some())
            })
        })
        .await
    }
}

//! Tags and their links.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt};
use tidings_domain::access::Access;
use tidings_domain::ids::{ContactId, TagId, TypedId};
use tidings_domain::pagination::{Page, Position, SortBy, SortKey, SortedPage, SortedRequest};
use tidings_domain::ports::{Conflict, Object, StoreError, TagQueries};
use tidings_domain::tags::Tag;
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::checked::Checked;
use crate::connection::{
    Connection, Part, by_keys, execute, execute_any, find, load, load_any, named, sorted_keyset, total, whole,
};
use crate::faults::Fault;
use crate::fixed::Fixed;
use crate::rows::exactly_one;
use crate::schema::{contact_tags, contacts, tags};
use crate::types::{DbId, DbTime, Id, Instant};

#[derive(Debug, Clone, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = tags, primary_key(workspace_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct TagRow {
    workspace_id: DbId,
    id: DbId,
    name: String,
    name_key: String,
    color: Option<String>,
    description: Option<String>,
    created_at: DbTime,
    updated_at: DbTime,
    version: i64,
}

impl TagRow {
    fn write(workspace_id: DbId, it: &Tag) -> Self {
        Self {
            workspace_id,
            id: it.id.into(),
            name: it.name.clone(),
            name_key: it.name_key(),
            color: it.color.clone(),
            description: it.description.clone(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        }
    }

    fn read(self, contact_count: i64) -> Tag {
        Tag {
            id: self.id.typed(),
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

/// Tag by tag, and contact by contact.
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

/// How many living contacts carry each of these tags.
async fn counts(c: &mut Connection<'_>, ws: DbId, ids: Vec<DbId>) -> Result<Vec<(DbId, i64)>, Fault> {
    if let Connection::Postgres(connection) = c {
        let query = diesel::sql_query(COUNTS).bind::<Id, _>(ws).bind::<Array<Id>, _>(ids);
        let mut connection: &diesel_async::AsyncPgConnection = connection;
        let rows: Vec<Carriers> = diesel_async::RunQueryDsl::load(Fixed(query), &mut connection).await?;
        return Ok(rows.into_iter().map(|row| (row.tag_id, row.count)).collect());
    }
    let carried = contact_tags::workspace_id.eq(contacts::workspace_id).and(contact_tags::contact_id.eq(contacts::id));
    load_any!(
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

fn counted(row: TagRow, counts: &[(DbId, i64)]) -> Tag {
    let count = counts.iter().find(|(id, _)| *id == row.id).map_or(0, |(_, count)| *count);
    row.read(count)
}

#[async_trait]
impl TagQueries for Storage {
    async fn get(&self, access: &Access, tag: TagId) -> Result<Option<Tag>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(tag));
        self.read(move |mut c| {
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
        self.read(move |mut c| {
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
        let names = names.to_vec();
        self.read(move |mut c| {
            Box::pin(async move {
                let mut found = Vec::new();
                for name in names {
                    let row: Option<TagRow> = find!(&mut c, {
                        let of_workspace = tags::table.filter(tags::workspace_id.eq(ws));
                        named!(of_workspace.select(TagRow::as_select()), tags::name_key, name.clone())
                    })?;
                    found.extend(row.map(|row| row.read(0)));
                }
                Ok(found)
            })
        })
        .await
    }

    async fn list(&self, access: &Access, page: SortedRequest) -> Result<SortedPage<Tag>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| {
            Box::pin(async move {
                let time = |key: &SortKey| key.time().map(DbTime);
                let text = |key: &SortKey| key.text().map(ToOwned::to_owned);
                let (part, descending) = (Part { valued: true, after: page.after.as_ref() }, page.order.descending);
                let rows: Vec<TagRow> = load!(&mut c, {
                    let query = tags::table.filter(tags::workspace_id.eq(ws)).select(TagRow::as_select());
                    let query = whole!(query, tags::updated_at).into_boxed::<Db>();
                    let query = match page.order.by {
                        SortBy::Name => sorted_keyset!(query, part, descending, tags::name_key, tags::id, text),
                        _ => sorted_keyset!(query, part, descending, tags::created_at, tags::id, time),
                    };
                    query.limit(i64::from(page.limit) + 1)
                })?;
                let counts = counts(&mut c, ws, rows.iter().map(|row| row.id).collect()).await?;
                let tags = rows.into_iter().map(|row| counted(row, &counts)).collect();
                let place = |tag: &Tag| Position { at: tag.sort_key(page.order.by), id: tag.id.uuid() };
                let total = total!(&mut c, page, tags::id, {
                    tags::table.filter(tags::workspace_id.eq(ws)).into_boxed::<Db>()
                });
                Ok(Page::cut(tags, page.limit, place).of_total(total))
            })
        })
        .await
    }

    async fn has_links(&self, access: &Access, tag: TagId) -> Result<bool, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(tag));
        self.read(move |mut c| {
            Box::pin(async move {
                let left: Option<DbId> = find!(
                    &mut c,
                    contact_tags::table
                        .filter(contact_tags::workspace_id.checked(ws))
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

pub(crate) async fn insert(c: &mut Connection<'_>, ws: DbId, it: &Tag) -> Result<(), Fault> {
    execute!(c, diesel::insert_into(tags::table).values(TagRow::write(ws, it))).map(|_| ())
}

pub(crate) async fn update(c: &mut Connection<'_>, ws: DbId, it: &Tag) -> Result<(), Fault> {
    let target = tags::table.find((ws, DbId::from(it.id))).filter(tags::version.eq(it.version - 1));
    let rows = execute!(c, diesel::update(target).set(TagRow::write(ws, it)))?;
    exactly_one(rows, Conflict::Stale(Object::Tag(it.id)))
}

pub(crate) async fn link(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    tag: TagId,
    at: Timestamp,
) -> Result<(), Fault> {
    // The tag's own row is the source, so that no link names a tag that is not the workspace's.
    let row = tags::table.find((ws, DbId::from(tag))).select((
        tags::workspace_id,
        DbId::from(contact).into_sql::<Id>(),
        tags::id,
        DbTime(at).into_sql::<Instant>(),
    ));
    let columns =
        (contact_tags::workspace_id, contact_tags::contact_id, contact_tags::tag_id, contact_tags::applied_at);
    let rows = execute!(c, row.insert_into(contact_tags::table).into_columns(columns))?;
    exactly_one(rows, Conflict::Stale(Object::Tag(tag)))
}

pub(crate) async fn unlink(c: &mut Connection<'_>, ws: DbId, contact: ContactId, tag: TagId) -> Result<(), Fault> {
    let target = contact_tags::table.find((ws, DbId::from(contact), DbId::from(tag)));
    let rows = execute!(c, diesel::delete(target))?;
    exactly_one(rows, Conflict::NoLink)
}

/// Removes at most `limit` links of a tag that is gone.
pub(crate) async fn sweep(c: &mut Connection<'_>, ws: DbId, tag: TagId, limit: u32) -> Result<(), Fault> {
    let tag = DbId::from(tag);
    let of_tag =
        contact_tags::table.filter(contact_tags::workspace_id.checked(ws)).filter(contact_tags::tag_id.eq(tag));
    let contacts: Vec<DbId> = load!(c, of_tag.select(contact_tags::contact_id).limit(i64::from(limit)))?;
    let swept = contact_tags::table
        .filter(contact_tags::workspace_id.checked(ws))
        .filter(contact_tags::tag_id.eq(tag))
        .filter(contact_tags::contact_id.eq_any(contacts));
    execute_any!(c, diesel::delete(swept)).map(|_| ())
}

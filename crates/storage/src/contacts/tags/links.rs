//! Tags of contacts: the links between them.

use diesel::prelude::*;
use tidings_domain::ids::TagId;

use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime, Id};
use crate::schema::contact_tags;
use crate::write::{self, Columns, MissedRows};

/// Removes links of a deleted tag, at most `limit`.
pub(crate) async fn sweep(c: &mut Connection<'_>, ws: DbId, tag: TagId, limit: u32) -> Result<(), Fault> {
    let tag = DbId::from(tag);
    let of_tag =
        contact_tags::table.filter(contact_tags::workspace_id.eq_unindexed(ws)).filter(contact_tags::tag_id.eq(tag));
    let contacts: Vec<DbId> = load!(c, of_tag.select(contact_tags::contact_id).limit(i64::from(limit)))?;
    let swept = contact_tags::table
        .filter(contact_tags::workspace_id.eq_unindexed(ws))
        .filter(contact_tags::tag_id.eq(tag))
        .filter(contact_tags::contact_id.eq_any(contacts));
    execute!(cached_on_postgres, c, diesel::delete(swept)).map(|_| ())
}

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct LinkRow in contact_tags {
        pub(crate) workspace_id: DbId,
        pub(crate) contact_id: DbId,
        pub(crate) tag_id: DbId,
        pub(crate) applied_at: DbTime,
    }
}

/// The statement reads the tag's own row: a link can only refer to a tag of its workspace. It returns the inserted
/// keys, because an insert cannot return positions of input rows.
const LINK_ON_POSTGRES: &str = "INSERT INTO contact_tags (workspace_id, contact_id, tag_id, applied_at) \
    SELECT l.workspace_id, l.contact_id, l.tag_id, l.applied_at FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), \
    (SELECT $3::uuid[]), (SELECT $4::timestamptz[])) AS l (workspace_id, contact_id, tag_id, applied_at) \
    CROSS JOIN LATERAL (SELECT 1 FROM tags t WHERE t.workspace_id = l.workspace_id AND t.id = l.tag_id LIMIT 1) AS f \
    RETURNING contact_id, tag_id";
const LINK_ON_SQLITE: &str = "INSERT INTO contact_tags (workspace_id, contact_id, tag_id, applied_at) \
    SELECT t.workspace_id, ?2, t.id, ?4 FROM tags t WHERE t.workspace_id = ?1 AND t.id = ?3";

#[derive(QueryableByName)]
struct Linked {
    #[diesel(sql_type = Id)]
    contact_id: DbId,
    #[diesel(sql_type = Id)]
    tag_id: DbId,
}

/// Adds tags to contacts. Returns the links to missing tags.
pub(crate) async fn link(c: &mut Connection<'_>, rows: &[LinkRow]) -> Result<MissedRows, Fault> {
    let connection = match c {
        Connection::Postgres(connection) => connection,
        Connection::Sqlite(connection) => return write::each(connection, rows, LINK_ON_SQLITE),
    };
    let query = LinkRow::bind_all(&rows.iter().collect::<Vec<_>>(), diesel::sql_query(LINK_ON_POSTGRES).into_boxed());
    let mut connection: &diesel_async::AsyncPgConnection = connection;
    let made: Vec<Linked> = diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?;
    let is_made = |row: &LinkRow| made.iter().any(|it| (it.contact_id, it.tag_id) == (row.contact_id, row.tag_id));
    let missed = |(place, row)| (!is_made(row)).then_some(place);
    Ok(if made.len() == rows.len() { MissedRows::new() } else { rows.iter().enumerate().filter_map(missed).collect() })
}

/// Removes tags from contacts. Returns the missing links.
pub(crate) async fn unlink(c: &mut Connection<'_>, rows: &[LinkRow]) -> Result<MissedRows, Fault> {
    match c {
        Connection::Postgres(connection) => write::missed(connection, rows, UNLINK_ON_POSTGRES).await,
        Connection::Sqlite(connection) => write::each(connection, rows, UNLINK_ON_SQLITE),
    }
}

const UNLINK_ON_POSTGRES: &str = "DELETE FROM contact_tags AS t USING unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), \
    (SELECT $3::uuid[]), (SELECT $4::timestamptz[])) WITH ORDINALITY AS l (workspace_id, contact_id, tag_id, applied_at, n) \
    CROSS JOIN LATERAL (SELECT f.ctid FROM contact_tags f WHERE f.workspace_id = l.workspace_id \
    AND f.contact_id = l.contact_id AND f.tag_id = l.tag_id LIMIT 1 FOR UPDATE) AS found WHERE t.ctid = found.ctid \
    RETURNING l.n";
const UNLINK_ON_SQLITE: &str = "DELETE FROM contact_tags WHERE workspace_id = ?1 AND contact_id = ?2 AND tag_id = ?3 \
    AND (?4 IS NOT NULL)";

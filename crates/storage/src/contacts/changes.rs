//! Changes of contacts other than the update of a whole row.

use diesel::prelude::*;
use tidings_domain::contacts::{Contact, Identity};
use tidings_domain::ids::{ChannelId, ContactId};
use tidings_domain::ports::{Conflict, Object};

use super::rows::ContactRecord;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{contact_identities, contact_tags, contact_values, contacts};
use crate::write::{self, Column, Columns, OnPostgres, OnSqlite};

crate::write::write_texts! {
    Restored: crate::write::Shape { deleted_at: Some("IS NOT NULL"), ..crate::write::Shape::of("contacts") },
    Emptied: crate::write::Shape::of("contacts"),
    IdentityRow: crate::write::Shape::of("contact_identities"),
}

/// A contact that is erased or merged, whether it is deleted or not.
struct Emptied(ContactRecord);

impl Columns for Emptied {
    fn columns() -> Vec<Column> {
        ContactRecord::columns()
    }

    fn bind_all<'f>(rows: &[&'f Self], query: OnPostgres<'f>) -> OnPostgres<'f> {
        ContactRecord::bind_all(&rows.iter().map(|it| &it.0).collect::<Vec<_>>(), query)
    }

    fn bind<'f>(&'f self, query: OnSqlite<'f>) -> OnSqlite<'f> {
        self.0.bind(query)
    }
}

/// Writes an emptied contact over an existing one. Also clears its last-seen stamp, which updates do not change, and
/// removes its addresses, tags and values.
pub(crate) async fn empty(c: &mut Connection<'_>, ws: DbId, it: &Contact) -> Result<(), Fault> {
    if !write::update(c, &[Emptied(ContactRecord::write(ws, it))]).await?.is_empty() {
        return Err(Conflict::Stale(Object::Contact(it.id)).into());
    }
    let target = contacts::table.find((ws, DbId::from(it.id)));
    execute!(c, diesel::update(target).set(contacts::last_message_at.eq(None::<DbTime>)))?;
    let id = DbId::from(it.id);
    let links = contact_tags::table.filter(contact_tags::workspace_id.eq(ws)).filter(contact_tags::contact_id.eq(id));
    execute!(c, diesel::delete(links))?;
    let values =
        contact_values::table.filter(contact_values::workspace_id.eq(ws)).filter(contact_values::contact_id.eq(id));
    execute!(c, diesel::delete(values))?;
    let addresses = contact_identities::table
        .filter(contact_identities::workspace_id.eq(ws))
        .filter(contact_identities::contact_id.eq(id));
    execute!(c, diesel::delete(addresses)).map(|_| ())
}

struct Restored(ContactRecord);

impl Columns for Restored {
    fn columns() -> Vec<Column> {
        ContactRecord::columns()
    }

    fn bind_all<'f>(rows: &[&'f Self], query: OnPostgres<'f>) -> OnPostgres<'f> {
        ContactRecord::bind_all(&rows.iter().map(|it| &it.0).collect::<Vec<_>>(), query)
    }

    fn bind<'f>(&'f self, query: OnSqlite<'f>) -> OnSqlite<'f> {
        self.0.bind(query)
    }
}

/// Writes all columns of a deleted contact.
pub(crate) async fn restore(c: &mut Connection<'_>, ws: DbId, it: &Contact) -> Result<(), Fault> {
    match write::update(c, &[Restored(ContactRecord::write(ws, it))]).await?.is_empty() {
        true => Ok(()),
        false => Err(Conflict::Stale(Object::Contact(it.id)).into()),
    }
}

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct IdentityRow in contact_identities {
        pub(crate) workspace_id: DbId,
        pub(crate) contact_id: DbId,
        pub(crate) channel_id: DbId,
        pub(crate) address: String,
        pub(crate) opted_in: bool,
        pub(crate) live: bool,
        pub(crate) is_alias: bool,
        pub(crate) added_at: DbTime,
        pub(crate) undeliverable_since: Option<DbTime>,
        pub(crate) opt_out_source: Option<String>,
        pub(crate) opt_out_at: Option<DbTime>,
    }
}

impl IdentityRow {
    pub(crate) fn write(workspace_id: DbId, contact: ContactId, it: &Identity) -> Self {
        Self {
            workspace_id,
            contact_id: contact.into(),
            channel_id: it.channel.into(),
            address: it.address.clone(),
            opted_in: it.opted_in,
            live: true,
            is_alias: it.is_alias,
            added_at: it.added_at.into(),
            undeliverable_since: it.undeliverable_since.map(DbTime),
            opt_out_source: it.opt_out.map(|it| it.source.as_str().to_owned()),
            opt_out_at: it.opt_out.map(|it| it.at.into()),
        }
    }
}

pub(crate) async fn replace_identities(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    identities: &[Identity],
) -> Result<(), Fault> {
    let target = contact_identities::table
        .filter(contact_identities::workspace_id.eq(ws))
        .filter(contact_identities::contact_id.eq(DbId::from(contact)));
    execute!(c, diesel::delete(target))?;
    let rows: Vec<_> = identities.iter().map(|it| IdentityRow::write(ws, contact, it)).collect();
    if rows.is_empty() { Ok(()) } else { write::insert(c, &rows).await }
}

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct OptIn in contact_identities {
        workspace_id: DbId,
        contact_id: DbId,
        channel_id: DbId,
        opted_in: bool,
    }
}

impl OptIn {
    pub(crate) fn write(ws: DbId, contact: ContactId, channel: ChannelId, opted_in: bool) -> Self {
        Self { workspace_id: ws, contact_id: contact.into(), channel_id: channel.into(), opted_in }
    }
}

const OPT_IN_ON_POSTGRES: &str = "UPDATE contact_identities AS t SET opted_in = made.opted_in \
    FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::uuid[]), (SELECT $4::bool[])) \
    AS made (workspace_id, contact_id, channel_id, opted_in) CROSS JOIN LATERAL (SELECT f.ctid FROM contact_identities f \
    WHERE f.workspace_id = made.workspace_id AND f.contact_id = made.contact_id AND f.channel_id = made.channel_id \
    FOR NO KEY UPDATE) AS found WHERE t.ctid = found.ctid";
const OPT_IN_ON_SQLITE: &str = "UPDATE contact_identities SET opted_in = ?4 WHERE workspace_id = ?1 AND contact_id = ?2 \
    AND channel_id = ?3";

pub(crate) async fn set_opt_ins(c: &mut Connection<'_>, rows: &[OptIn]) -> Result<(), Fault> {
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, rows, OPT_IN_ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, rows, OPT_IN_ON_SQLITE).map(|_| ()),
    }
}

pub(crate) async fn release_identities(c: &mut Connection<'_>, ws: DbId, contact: ContactId) -> Result<(), Fault> {
    let target = contact_identities::table
        .filter(contact_identities::workspace_id.eq(ws))
        .filter(contact_identities::contact_id.eq(DbId::from(contact)));
    execute!(c, diesel::update(target).set(contact_identities::live.eq(false))).map(|_| ())
}

crate::write::row! {
    #[derive(Debug, Clone)]
    pub(crate) struct LastSeen in contacts {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) last_message_at: DbTime,
    }
}

const TOUCH_ON_POSTGRES: &str = "UPDATE contacts AS t SET last_message_at = seen.at FROM unnest((SELECT $1::uuid[]), \
    (SELECT $2::uuid[]), (SELECT $3::timestamptz[])) AS seen (workspace_id, id, at) CROSS JOIN LATERAL (SELECT f.ctid, \
    f.last_message_at FROM contacts f WHERE f.workspace_id = seen.workspace_id AND f.id = seen.id LIMIT 1 \
    FOR NO KEY UPDATE) AS found WHERE t.ctid = found.ctid \
    AND (found.last_message_at IS NULL OR found.last_message_at < seen.at)";
const TOUCH_ON_SQLITE: &str = "UPDATE contacts SET last_message_at = ?3 WHERE workspace_id = ?1 AND id = ?2 \
    AND (last_message_at IS NULL OR last_message_at < ?3)";

/// Moves the last-seen stamps forward, never back.
pub(crate) async fn touch(c: &mut Connection<'_>, rows: &[LastSeen]) -> Result<(), Fault> {
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, rows, TOUCH_ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, rows, TOUCH_ON_SQLITE).map(|_| ()),
    }
}

//! The tags, values and identities of a contact. PostgreSQL reads them with the contact in one statement: one round
//! trip and one snapshot without a transaction. On SQLite, queries need no round trip, and separate ones read them.

use diesel::backend::Backend;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate};
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::sql_types::{Nullable, Text};
use diesel::sqlite::Sqlite;
use diesel::{QueryResult, sql_types};
use serde::Deserialize;
use tidings_domain::contacts::{AppliedTag, Contact, Identity, IdentityOptOut, OptOutSource};
use tidings_domain::fields::without_retired;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::connection::faults::Fault;
use crate::contacts::fields::options_of;
use crate::queries::rows::json;
use crate::queries::types::DbId;
use crate::schema::contacts;

/// A column in addition to the columns of `contacts`: a JSON array of its tags, values and identities, each null if
/// there are none. On SQLite, the whole column is null.
#[derive(Debug, Clone, Copy, QueryId)]
pub(crate) struct TagsAndFields;

const ON_POSTGRES: &str = "(SELECT json_build_array(\
    (SELECT json_agg(json_build_array(t.id, t.name, floor(extract(epoch FROM l.applied_at) * 1000)::bigint) \
        ORDER BY l.applied_at, l.tag_id) \
     FROM contact_tags l CROSS JOIN LATERAL (SELECT t.id, t.name FROM tags t \
        WHERE t.workspace_id = l.workspace_id AND t.id = l.tag_id LIMIT 1) t \
     WHERE l.workspace_id = contacts.workspace_id AND l.contact_id = contacts.id), \
    (SELECT json_agg(json_build_array(f.key, v.value, f.retired)) \
     FROM contact_values v CROSS JOIN LATERAL (SELECT f.key, f.retired FROM custom_fields f \
        WHERE f.workspace_id = v.workspace_id AND f.id = v.field_id LIMIT 1) f \
     WHERE v.workspace_id = contacts.workspace_id AND v.contact_id = contacts.id), \
    (SELECT json_agg(json_build_array(i.channel_id, i.address, i.opted_in, i.is_alias, \
        floor(extract(epoch FROM i.added_at) * 1000)::bigint, \
        floor(extract(epoch FROM i.undeliverable_since) * 1000)::bigint, i.opt_out_source, \
        floor(extract(epoch FROM i.opt_out_at) * 1000)::bigint) ORDER BY i.channel_id, i.address) \
     FROM contact_identities i \
     WHERE i.workspace_id = contacts.workspace_id AND i.contact_id = contacts.id AND i.live)\
    )::text)";

impl Expression for TagsAndFields {
    type SqlType = Nullable<Text>;
}

impl SelectableExpression<contacts::table> for TagsAndFields {}

impl AppearsOnTable<contacts::table> for TagsAndFields {}

impl ValidGrouping<()> for TagsAndFields {
    type IsAggregate = is_aggregate::No;
}

trait Dialect: Backend {
    const CARRIED: &'static str;
}

impl Dialect for Pg {
    const CARRIED: &'static str = ON_POSTGRES;
}

impl Dialect for Sqlite {
    const CARRIED: &'static str = "NULL";
}

impl<DB: Dialect> QueryFragment<DB> for TagsAndFields
where
    DB: sql_types::HasSqlType<Nullable<Text>>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql(DB::CARRIED);
        Ok(())
    }
}

type Read =
    (Option<Vec<(Key, String, i64)>>, Option<Vec<(String, String, Option<String>)>>, Option<Vec<CarriedIdentity>>);

/// The channel, the address, whether it is opted in and an alias, its age, since when it is undeliverable, and the source
/// and the time of its opt-out.
type CarriedIdentity = (Key, String, bool, bool, i64, Option<i64>, Option<String>, Option<i64>);

/// An ID as PostgreSQL writes it in JSON.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Key(DbId);

impl TryFrom<String> for Key {
    type Error = uuid::Error;

    fn try_from(text: String) -> Result<Self, uuid::Error> {
        Uuid::parse_str(&text).map(|id| Self(DbId(id)))
    }
}

pub(crate) fn give(contact: &mut Contact, read_along: &str) -> Result<(), Fault> {
    let (tags, values, identities): Read = json(read_along, "the tags and fields of a contact")?;
    let tag = |(Key(id), name, applied_at)| {
        let applied_at = Timestamp::from_millis(applied_at);
        AppliedTag { id: id.to_typed_id(), name, applied_at }
    };
    contact.tags.extend(tags.into_iter().flatten().map(tag));
    for (key, value, retired) in values.into_iter().flatten() {
        give_value(contact, key, &value, retired.as_deref())?;
    }
    let identity = |it: CarriedIdentity| {
        let (Key(channel), address, opted_in, is_alias, added_at, undeliverable_since, source, opt_out_at) = it;
        Identity {
            opted_in,
            opt_out: opt_out(source.as_deref(), opt_out_at.map(Timestamp::from_millis)),
            is_alias,
            undeliverable_since: undeliverable_since.map(Timestamp::from_millis),
            ..Identity::new(channel.to_typed_id(), address, Timestamp::from_millis(added_at))
        }
    };
    contact.identities.extend(identities.into_iter().flatten().map(identity));
    Ok(())
}

/// Returns the opt-out of an address. A source of a later release is not known.
pub(crate) fn opt_out(source: Option<&str>, at: Option<Timestamp>) -> Option<IdentityOptOut> {
    let source = source.and_then(OptOutSource::parse);
    source.zip(at).map(|(source, at)| IdentityOptOut { source, at })
}

/// Adds a value to a contact, without options that are being removed.
pub(crate) fn give_value(contact: &mut Contact, key: String, value: &str, retired: Option<&str>) -> Result<(), Fault> {
    let value = json(value, "a custom field's value")?;
    if let Some(value) = without_retired(value, &options_of(retired)?) {
        contact.custom_fields.insert(key, value);
    }
    Ok(())
}

//! Options of a field: the contacts that have them, and their removal from contacts.

use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable};
use serde_json::Value;
use tidings_domain::fields::{CustomField, FieldKind, cut_key, element_key};
use tidings_domain::ids::{ContactId, FieldId};
use tidings_domain::ports::{Conflict, Object};
use tidings_domain::references::Referent;
use tidings_domain::text::fold;

use super::rows::{FieldRow, options_text};
use crate::conditions::literal;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, for_each_backend, load, on_either};
use crate::queries::rows::{exactly_one, json};
use crate::queries::types::DbId;
use crate::schema::{contact_values, contacts, custom_fields};

#[derive(Clone)]
pub(super) struct Wanted {
    field: DbId,
    options: Vec<String>,
    is_list: bool,
}

impl Wanted {
    pub(super) fn of(field: &CustomField, options: &[String]) -> Self {
        Self { field: field.id.into(), options: options.to_vec(), is_list: field.kind == FieldKind::MultiSelect }
    }

    fn keys(&self) -> Vec<String> {
        self.options.iter().map(|option| cut_key(&fold(option))).collect()
    }

    /// Returns the values as stored, because options that differ only in case share a key.
    fn texts(&self) -> Vec<String> {
        self.options.iter().map(|option| Value::from(option.as_str()).to_string()).collect()
    }

    fn patterns(&self) -> Vec<String> {
        self.options.iter().map(|option| format!("%{}%", literal(&element_key(&fold(option))))).collect()
    }
}

type Values<'q, Db, ST> = contact_values::BoxedQuery<'q, Db, ST>;

trait Narrow: diesel::backend::Backend {
    /// Narrows a query to values with one of the options.
    fn carrying<'q, ST>(query: Values<'q, Self, ST>, ws: DbId, wanted: &Wanted) -> Values<'q, Self, ST>;
}

for_each_backend! {
    impl Narrow for Db {
        fn carrying<'q, ST>(query: Values<'q, Db, ST>, ws: DbId, wanted: &Wanted) -> Values<'q, Db, ST> {
            type Test = Box<dyn BoxableExpression<contact_values::table, Db, SqlType = Nullable<Bool>>>;
            use contact_values::{elements, field_id, match_key, value, workspace_id};
            let query = query.filter(workspace_id.eq_unindexed(ws)).filter(field_id.eq(wanted.field));
            if wanted.is_list {
                let has = |pattern: String| -> Test { Box::new(elements.like(pattern).escape('\\')) };
                let any = wanted.patterns().into_iter().map(has).reduce(|any, it| Box::new(any.or(it)));
                query.filter(any.unwrap_or_else(|| Box::new(false.into_sql::<Nullable<Bool>>())))
            } else {
                query.filter(match_key.eq_any(wanted.keys())).filter(value.eq_any(wanted.texts()))
            }
        }
    }
}

/// Changes the options that are being removed from contacts from `from` to `to`.
pub(crate) async fn retire(
    c: &mut Connection<'_>,
    ws: DbId,
    field: FieldId,
    from: &[String],
    to: &[String],
    unused: bool,
) -> Result<(), Fault> {
    let new: Vec<String> = to.iter().filter(|option| !from.contains(option)).cloned().collect();
    let (from, to) = (options_text(from)?, options_text(to)?);
    let target = custom_fields::table.find((ws, DbId::from(field)));
    let none_expected = custom_fields::retired.is_null().and(from.is_none().into_sql::<Bool>());
    let target =
        target.filter(none_expected.or(custom_fields::retired.is_not_null().and(custom_fields::retired.eq(from))));
    let rows = execute!(c, diesel::update(target).set(custom_fields::retired.eq(to)))?;
    exactly_one(rows, Conflict::Stale(Object::Stored(field.into())))?;
    if !unused {
        return Ok(());
    }
    // The field's row is locked now: earlier writers of values have committed, and later ones wait.
    let row: FieldRow =
        on_either!(c, get_result, custom_fields::table.find((ws, DbId::from(field))).select(FieldRow::as_select()))?;
    match carriers(c, ws, Wanted::of(&row.read()?, &new), 1).await? {
        0 => Ok(()),
        _ => Err(Conflict::InUse(Referent::Field(field)).into()),
    }
}

/// Counts contacts with one of these options, up to `most`. Deleted contacts do not count.
pub(super) async fn carriers(c: &mut Connection<'_>, ws: DbId, wanted: Wanted, most: u64) -> Result<u64, Fault> {
    let holders: Vec<DbId> = load!(uncached, c, {
        let living = contacts::table
            .filter(contacts::workspace_id.eq(contact_values::workspace_id))
            .filter(contacts::id.eq(contact_values::contact_id))
            .filter(contacts::deleted_at.is_null());
        let query = contact_values::table.select(contact_values::contact_id).into_boxed::<Db>();
        let query = Db::carrying(query, ws, &wanted).filter(diesel::dsl::exists(living.offset(0)));
        query.limit(i64::try_from(most).unwrap_or(i64::MAX))
    })?;
    Ok(holders.len() as u64)
}

/// Returns contacts after `after` with one of these options, with their values, ordered by ID.
pub(super) async fn carrying(
    c: &mut Connection<'_>,
    ws: DbId,
    wanted: Wanted,
    after: Option<ContactId>,
    limit: u32,
) -> Result<Vec<(ContactId, Value)>, Fault> {
    let holders: Vec<(DbId, String)> = load!(uncached, c, {
        let columns = (contact_values::contact_id, contact_values::value);
        let query = contact_values::table.select(columns).into_boxed::<Db>();
        let query = Db::carrying(query, ws, &wanted);
        let query = match after {
            Some(after) => query.filter(contact_values::contact_id.gt(DbId::from(after))),
            None => query,
        };
        query.order(contact_values::contact_id.asc()).limit(i64::from(limit))
    })?;
    let value = |text: String| json(&text, "a custom field's value");
    holders.into_iter().map(|(contact, text)| Ok((contact.to_typed_id(), value(text)?))).collect()
}

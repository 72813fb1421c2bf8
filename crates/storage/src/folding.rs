//! Folded texts beside the written ones: what conditions compare, lists are sorted by, and searches look through.
//!
//! Each row says by which version of the folding its keys were made. After the migrations the rows
//! that are behind are brought up to date, in portions, so that it may be interrupted.

use diesel::prelude::*;
use tidings_domain::contacts::Contact;
use tidings_domain::fields::{FieldValue, long_text};
use tidings_domain::text::fold;

use crate::connection::{Connection, execute, load};
use crate::faults::Fault;
use crate::fields::keys;
use crate::rows::json;
use crate::schema::{contact_values, contacts};
use crate::types::DbId;

/// The version of the folding.
pub(crate) const FOLDING: i32 = 1;
/// How many rows are brought up to date at once.
const PORTION: i64 = 500;

/// The folded attributes of a contact.
#[derive(Debug, Clone, Insertable, AsChangeset)]
#[diesel(table_name = contacts, treat_none_as_null = true, treat_none_as_default_value = false)]
pub(crate) struct Folded {
    pub(crate) external_id_folded: Option<String>,
    pub(crate) first_name_folded: Option<String>,
    pub(crate) last_name_folded: Option<String>,
    pub(crate) name_folded: Option<String>,
    pub(crate) email_folded: Option<String>,
    pub(crate) locale_folded: Option<String>,
    pub(crate) time_zone_folded: Option<String>,
    pub(crate) name_key: Option<String>,
    pub(crate) search_text: String,
    pub(crate) folding: i32,
}

impl Folded {
    pub(crate) fn of(it: &Contact) -> Self {
        Self {
            external_id_folded: it.external_id.as_ref().map(|it| fold(it.as_str())),
            first_name_folded: it.first_name.as_deref().map(fold),
            last_name_folded: it.last_name.as_deref().map(fold),
            name_folded: it.name().as_deref().map(fold),
            email_folded: it.email.as_ref().map(|it| fold(it.as_str())),
            locale_folded: it.locale.as_ref().map(|it| fold(it.as_str())),
            time_zone_folded: it.time_zone.as_ref().map(|it| fold(it.as_str())),
            name_key: it.name_key(),
            search_text: it.search_text(),
            folding: FOLDING,
        }
    }
}

/// Brings up to date what is behind, at most a portion of each table; whether something was.
pub(crate) async fn catch_up(c: &mut Connection<'_>) -> Result<bool, Fault> {
    let contacts = crate::contacts::behind(c, PORTION).await?;
    for (ws, it) in &contacts {
        // Who writes the row meanwhile folds it, too.
        let target = contacts::table.find((*ws, DbId::from(it.id))).filter(contacts::folding.lt(FOLDING));
        execute!(c, diesel::update(target).set(Folded::of(it)))?;
    }
    let values: Vec<(DbId, DbId, DbId, String)> = load!(
        c,
        contact_values::table
            .filter(contact_values::folding.lt(FOLDING))
            .select((
                contact_values::workspace_id,
                contact_values::contact_id,
                contact_values::field_id,
                contact_values::value,
            ))
            .limit(PORTION)
    )?;
    for (ws, contact, field, value) in &values {
        let value = FieldValue::from_store(json(value, "a custom field's value")?);
        let (match_key, elements) = keys(&value);
        let changes = (
            contact_values::match_key.eq(match_key),
            contact_values::elements.eq(elements),
            contact_values::long_text.eq(long_text(&value.json)),
            contact_values::folding.eq(FOLDING),
        );
        let place = contact_values::table.find((*ws, *contact, *field)).filter(contact_values::folding.lt(FOLDING));
        execute!(c, diesel::update(place).set(changes))?;
    }
    Ok(!contacts.is_empty() || !values.is_empty())
}

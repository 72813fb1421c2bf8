//! Update of rows with folded texts of an earlier version. It runs after the migrations, in batches, and can be
//! interrupted.

use diesel::prelude::*;
use tidings_domain::contacts::Contact;
use tidings_domain::fields::{FieldValue, long_text};

use crate::conditions::folding::{FOLDING, Folded};
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::contacts::fields::keys;
use crate::contacts::{ContactRow, email_keys};
use crate::queries::rows::json;
use crate::queries::types::DbId;
use crate::schema::{contact_values, contacts};

/// Maximum number of rows in a batch.
const PORTION: i64 = 500;

/// Updates a batch of outdated rows of each table. Returns false if there were none.
pub(crate) async fn catch_up(c: &mut Connection<'_>) -> Result<bool, Fault> {
    let mut contacts = load_outdated(c, PORTION).await?;
    for (ws, it) in &mut contacts {
        email_keys::settle(c, *ws, it).await?;
        // A concurrent writer of the row also updates its folded texts.
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

/// Returns contacts with outdated folded attributes, without tags and values, with their workspaces.
async fn load_outdated(c: &mut Connection<'_>, limit: i64) -> Result<Vec<(DbId, Contact)>, Fault> {
    let rows: Vec<ContactRow> =
        load!(c, contacts::table.filter(contacts::folding.lt(FOLDING)).select(ContactRow::as_select()).limit(limit))?;
    rows.into_iter().map(|row| Ok((row.workspace_id, row.read()?))).collect()
}

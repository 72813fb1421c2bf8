//! What a migration leaves to the program: keys that only the domain can make, for rows written before there were
//! any. It goes on where it was interrupted, and finds nothing to do where it was done.

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use tidings_domain::contacts::{Contact, Email, ExternalId, Phone};
use tidings_domain::fields::FieldValue;
use tidings_domain::ids::TagId;
use tidings_domain::references::{Referent, Referrer};
use tidings_domain::time::Timestamp;

use crate::connection::{Connection, execute, load};
use crate::error::StorageError;
use crate::faults::Fault;
use crate::rows::json;
use crate::schema::{contact_values, contacts, flow_versions, flows, object_references};
use crate::types::DbId;
use crate::{Storage, references};

/// How many rows one transaction fills in.
const PORTION: i64 = 500;

impl Storage {
    /// Fills in all keys that are absent.
    pub(crate) async fn refold(&self) -> Result<(), StorageError> {
        let broken = |fault: Fault| StorageError::Migration(fault.into_store_error().to_string());
        while self.transact(|mut c| Box::pin(async move { some_contacts(&mut c).await })).await.map_err(broken)? > 0 {}
        while self.transact(|mut c| Box::pin(async move { some_values(&mut c).await })).await.map_err(broken)? > 0 {}
        Ok(())
    }

    /// Notes what the flows name that were published before anybody asked.
    pub(crate) async fn note_references(&self) -> Result<(), StorageError> {
        let broken = |fault: Fault| StorageError::Migration(fault.into_store_error().to_string());
        while self.transact(|mut c| Box::pin(async move { some_flows(&mut c).await })).await.map_err(broken)? > 0 {}
        Ok(())
    }
}

/// The names of a contact, as they are stored.
type Names = (DbId, DbId, Option<String>, Option<String>, Option<String>, Option<String>, Option<String>);

async fn some_contacts(c: &mut Connection<'_>) -> Result<usize, Fault> {
    let rows: Vec<Names> = load!(
        c,
        contacts::table
            .filter(contacts::search_text.is_null())
            .order((contacts::workspace_id.asc(), contacts::id.asc()))
            .limit(PORTION)
            .select((
                contacts::workspace_id,
                contacts::id,
                contacts::first_name,
                contacts::last_name,
                contacts::email,
                contacts::phone,
                contacts::external_id,
            ))
    )?;
    let found = rows.len();
    for (ws, id, first_name, last_name, email, phone, external_id) in rows {
        let mut contact = Contact::new(id.typed(), Timestamp::EPOCH_2026);
        (contact.first_name, contact.last_name) = (first_name, last_name);
        contact.email = email.map(Email::from_store);
        contact.phone = phone.map(Phone::from_store);
        contact.external_id = external_id.map(ExternalId::from_store);
        // Who changed the contact meanwhile has made its keys.
        let target = contacts::table.find((ws, id)).filter(contacts::search_text.is_null());
        let keys = (contacts::name_key.eq(contact.name_key()), contacts::search_text.eq(contact.search_text()));
        execute!(c, diesel::update(target).set(keys))?;
    }
    Ok(found)
}

async fn some_values(c: &mut Connection<'_>) -> Result<usize, Fault> {
    let keyless = contact_values::match_key.is_null().and(contact_values::elements.is_null());
    let rows: Vec<(DbId, DbId, DbId, String)> = load!(
        c,
        contact_values::table
            .filter(keyless)
            .order((
                contact_values::workspace_id.asc(),
                contact_values::contact_id.asc(),
                contact_values::field_id.asc(),
            ))
            .limit(PORTION)
            .select((
                contact_values::workspace_id,
                contact_values::contact_id,
                contact_values::field_id,
                contact_values::value,
            ))
    )?;
    let found = rows.len();
    for (ws, contact, field, value) in rows {
        let key = FieldValue::from_store(json(&value, "a custom field's value")?).match_key;
        let target = contact_values::table.find((ws, contact, field)).filter(keyless);
        execute!(c, diesel::update(target).set(contact_values::match_key.eq(key)))?;
    }
    Ok(found)
}

async fn some_flows(c: &mut Connection<'_>) -> Result<usize, Fault> {
    let published = flow_versions::workspace_id
        .eq(flows::workspace_id)
        .and(flow_versions::flow_id.eq(flows::id))
        .and(flows::version_published.eq(flow_versions::number.nullable()));
    let noted = object_references::table
        .filter(object_references::workspace_id.eq(flows::workspace_id))
        .filter(object_references::owner_kind.eq("flow"))
        .filter(object_references::owner_id.eq(flows::id));
    let rows: Vec<(DbId, DbId, String)> = load!(
        c,
        flows::table
            .inner_join(flow_versions::table.on(published))
            .filter(flow_versions::tags.ne("{}"))
            .filter(diesel::dsl::not(diesel::dsl::exists(noted)))
            .order((flows::workspace_id.asc(), flows::id.asc()))
            .limit(PORTION)
            .select((flows::workspace_id, flows::id, flow_versions::tags))
    )?;
    let found = rows.len();
    for (ws, flow, tags) in rows {
        let tags: BTreeMap<String, TagId> = json(&tags, "a flow version's tags")?;
        for tag in tags.into_values().collect::<BTreeSet<_>>() {
            references::insert(c, ws, Referrer::Flow(flow.typed()), Referent::Tag(tag)).await?;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;

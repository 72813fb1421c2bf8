//! Contacts with their tags and values.

pub(crate) mod bulk;
mod changes;
mod channel_reach;
pub(crate) mod contact_lists;
pub(crate) mod custom_events;
mod deleted;
pub(crate) mod email_keys;
pub(crate) mod erasures;
pub(crate) mod fields;
pub(crate) mod merges;
mod names;
pub(crate) mod opt_outs;
mod rows;
mod segments;
pub(crate) mod tags;
mod tags_and_fields;
mod timeline;

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use diesel::prelude::*;
use diesel_async::AsyncPgConnection;
use tidings_domain::access::Access;
use tidings_domain::contacts::{AppliedTag, ChannelReach, Contact, ContactFilter, ContactRef, Email, Identity};
use tidings_domain::custom_events::CustomEvent;
use tidings_domain::ids::{ChannelId, ContactId, CustomEventId, TypedId};
use tidings_domain::pagination::{Page, Position, SortBy, SortKey, SortedPage, SortedRequest, Total};
use tidings_domain::ports::{ContactQueries, StoreError};

use crate::connection::faults::Fault;
use crate::connection::{Connection, by_keys, find, load};
use crate::queries::by_keys::ByKeys;
use crate::queries::loader::{Found, by_workspace};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{self, contact_identities, contact_tags, contact_values, contacts, custom_fields};
use crate::{ReadMode, Storage};
use tags_and_fields::TagsAndFields;

pub(crate) use changes::{
    IdentityRow, LastSeen, OptIn, empty, release_identities, replace_identities, restore, set_opt_ins, touch,
};
pub(crate) use deleted::deleted_before;
pub(crate) use names::{Name, find_named};
pub(crate) use rows::{ContactRecord, ContactRow, ReadRow};

/// Converts rows to contacts. Tags and values that were not read with the rows are loaded by three queries, regardless
/// of the number of contacts.
async fn assemble(c: &mut Connection<'_>, ws: DbId, rows: Vec<ReadRow>) -> Result<Vec<Contact>, Fault> {
    let is_whole = rows.iter().all(|(_, read_along)| read_along.is_some());
    let mut contacts = rows.into_iter().map(read).collect::<Result<Vec<_>, Fault>>()?;
    if !is_whole {
        gather(c, ws, &mut contacts).await?;
    }
    Ok(contacts)
}

fn read((row, read_along): ReadRow) -> Result<Contact, Fault> {
    let mut contact = row.read()?;
    read_along.map_or(Ok(()), |read_along| tags_and_fields::give(&mut contact, &read_along))?;
    Ok(contact)
}

async fn gather(c: &mut Connection<'_>, ws: DbId, contacts: &mut [Contact]) -> Result<(), Fault> {
    let ids: Vec<DbId> = contacts.iter().map(|contact| contact.id.into()).collect();
    let tag = schema::tags::workspace_id.eq(contact_tags::workspace_id).and(schema::tags::id.eq(contact_tags::tag_id));
    let links: Vec<(DbId, DbId, String, DbTime)> = load!(
        cached_on_postgres,
        c,
        contact_tags::table
            .inner_join(schema::tags::table.on(tag))
            .filter(contact_tags::workspace_id.eq(ws))
            .filter(contact_tags::contact_id.eq_any(ids.clone()))
            .order((contact_tags::applied_at.asc(), contact_tags::tag_id.asc()))
            .select((contact_tags::contact_id, schema::tags::id, schema::tags::name, contact_tags::applied_at))
    )?;
    let field = custom_fields::workspace_id
        .eq(contact_values::workspace_id)
        .and(custom_fields::id.eq(contact_values::field_id));
    let values: Vec<(DbId, String, String, Option<String>)> = load!(
        cached_on_postgres,
        c,
        contact_values::table
            .inner_join(custom_fields::table.on(field))
            .filter(contact_values::workspace_id.eq(ws))
            .filter(contact_values::contact_id.eq_any(ids.clone()))
            .select((contact_values::contact_id, custom_fields::key, contact_values::value, custom_fields::retired))
    )?;
    let identities: Vec<(DbId, StoredIdentity)> = load!(
        cached_on_postgres,
        c,
        contact_identities::table
            .filter(contact_identities::workspace_id.eq(ws))
            .filter(contact_identities::contact_id.eq_any(ids))
            .filter(contact_identities::live.eq(true))
            .order((contact_identities::channel_id.asc(), contact_identities::address.asc()))
            .select((
                contact_identities::contact_id,
                (
                    contact_identities::channel_id,
                    contact_identities::address,
                    contact_identities::opted_in,
                    contact_identities::is_alias,
                    contact_identities::added_at,
                    contact_identities::undeliverable_since,
                    contact_identities::opt_out_source,
                    contact_identities::opt_out_at,
                ),
            ))
    )?;
    let places: BTreeMap<_, _> = contacts.iter().enumerate().map(|(place, it)| (it.id.uuid(), place)).collect();
    let at = |id: DbId| places.get(&id.0).copied();
    for (contact, id, name, applied_at) in links {
        if let Some(contact) = at(contact).and_then(|place| contacts.get_mut(place)) {
            contact.tags.push(AppliedTag { id: id.to_typed_id(), name, applied_at: applied_at.0 });
        }
    }
    for (contact, key, value, retired) in values {
        if let Some(contact) = at(contact).and_then(|place| contacts.get_mut(place)) {
            tags_and_fields::give_value(contact, key, &value, retired.as_deref())?;
        }
    }
    for (contact, identity) in identities {
        if let Some(contact) = at(contact).and_then(|place| contacts.get_mut(place)) {
            contact.identities.push(read_identity(identity));
        }
    }
    Ok(())
}

/// The columns of an address: its channel, its text, whether it is opted in and an alias, its age, since when it is
/// undeliverable, and the source and the time of its opt-out.
type StoredIdentity = (DbId, String, bool, bool, DbTime, Option<DbTime>, Option<String>, Option<DbTime>);

fn read_identity(it: StoredIdentity) -> Identity {
    let (channel, address, opted_in, is_alias, added_at, undeliverable_since, source, opt_out_at) = it;
    Identity {
        opted_in,
        opt_out: tags_and_fields::opt_out(source.as_deref(), opt_out_at.map(|it| it.0)),
        is_alias,
        undeliverable_since: undeliverable_since.map(|it| it.0),
        ..Identity::new(channel.to_typed_id(), address, added_at.0)
    }
}

/// Returns the contacts with these keys (workspace and ID), including deleted ones.
pub(crate) fn find_all(mut c: Connection<'_>, keys: Vec<(DbId, DbId)>) -> Found<'_, (DbId, DbId), Contact> {
    Box::pin(async move {
        let rows: Vec<ReadRow> = by_keys!(
            &mut c,
            keys,
            contacts::table.select((ContactRow::as_select(), TagsAndFields)),
            (contacts::workspace_id, contacts::id)
        )?;
        let mut found = HashMap::with_capacity(rows.len());
        for (ws, rows) in by_workspace(rows.into_iter().map(|row| (row.0.workspace_id, row)).collect()) {
            found.extend(assemble(&mut c, ws, rows).await?.into_iter().map(|it| ((ws, it.id.into()), it)));
        }
        Ok(found)
    })
}

/// Returns the contacts of runs, including deleted ones, by contact key. PostgreSQL uses one statement.
pub(crate) async fn of_runs(
    mut connection: &AsyncPgConnection,
    runs: &[(DbId, DbId)],
) -> Result<HashMap<(DbId, DbId), Contact>, Fault> {
    let columns = contacts::table.select((ContactRow::as_select(), TagsAndFields));
    let query = PreparedQuery(ByKeys::new(columns, runs).of_runs());
    let rows: Vec<ReadRow> = diesel_async::RunQueryDsl::load(query, &mut connection).await?;
    rows.into_iter().map(|row| Ok(((row.0.workspace_id, row.0.id), read(row)?))).collect()
}

impl Storage {
    /// Returns the contact with this key (workspace and ID), even if it is deleted.
    async fn contact(&self, key: (DbId, DbId)) -> Result<Option<Contact>, StoreError> {
        self.loaders.contacts.load(&self.backend, key).await
    }

    /// Returns the contact with this email address, by its key or else by an earlier form of the key.
    async fn by_email(&self, ws: DbId, email: &Email) -> Result<Option<Contact>, StoreError> {
        for key in std::iter::once(email.key().to_owned()).chain(email.earlier_keys()) {
            if let Some(found) = self.loaders.named_contacts.load(&self.backend, (ws, Name::Email(key))).await? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

#[async_trait]
impl ContactQueries for Storage {
    async fn find(&self, access: &Access, contact: &ContactRef) -> Result<Option<Contact>, StoreError> {
        let ws = DbId::from(access.workspace());
        let name = match contact {
            ContactRef::Id(id) => {
                let found = self.contact((ws, DbId::from(*id))).await?;
                return Ok(found.filter(|contact| contact.deleted_at.is_none()));
            }
            ContactRef::ExternalId(it) => Name::ExternalId(it.to_string()),
            ContactRef::Email(it) => return self.by_email(ws, it).await,
            ContactRef::Phone(it) => Name::Phone(it.to_string()),
        };
        self.loaders.named_contacts.load(&self.backend, (ws, name)).await
    }

    async fn by_ids(&self, access: &Access, contacts: &[ContactId]) -> Result<Vec<Contact>, StoreError> {
        let ws = DbId::from(access.workspace());
        let keys: Vec<_> = contacts.iter().map(|id| (ws, DbId::from(*id))).collect();
        let found = self.read_as_one(ws, move |c| Box::pin(async move { find_all(c, keys).await })).await?;
        Ok(found.into_values().collect())
    }

    async fn find_even_deleted(&self, access: &Access, contact: ContactId) -> Result<Option<Contact>, StoreError> {
        self.contact((access.workspace().into(), contact.into())).await
    }

    async fn find_deleted(&self, access: &Access, contact: ContactId) -> Result<Option<Contact>, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(contact));
        self.read_as_one(ws, move |mut c| {
            Box::pin(async move {
                let deleted = contacts::table.find((ws, id)).filter(contacts::deleted_at.is_not_null());
                let row: Option<ReadRow> = find!(&mut c, deleted.select((ContactRow::as_select(), TagsAndFields)))?;
                let found = assemble(&mut c, ws, row.into_iter().collect()).await?.pop();
                let Some(mut contact) = found else { return Ok(None) };
                let had: Vec<StoredIdentity> = load!(
                    &mut c,
                    contact_identities::table
                        .filter(contact_identities::workspace_id.eq(ws))
                        .filter(contact_identities::contact_id.eq(id))
                        .select((
                            contact_identities::channel_id,
                            contact_identities::address,
                            contact_identities::opted_in,
                            contact_identities::is_alias,
                            contact_identities::added_at,
                            contact_identities::undeliverable_since,
                            contact_identities::opt_out_source,
                            contact_identities::opt_out_at
                        ))
                )?;
                contact.identities = had.into_iter().map(read_identity).collect();
                contact.identities.sort_by(|a, b| (a.channel, &a.address).cmp(&(b.channel, &b.address)));
                Ok(Some(contact))
            })
        })
        .await
    }

    async fn by_identity(
        &self,
        access: &Access,
        channel: ChannelId,
        address: &str,
    ) -> Result<Option<Contact>, StoreError> {
        let (ws, channel, address) = (DbId::from(access.workspace()), DbId::from(channel), address.to_owned());
        self.read_so(ws, ReadMode::PointLookup, move |mut c| {
            Box::pin(async move {
                let of_channel = contact_identities::table
                    .filter(contact_identities::workspace_id.eq(ws))
                    .filter(contact_identities::channel_id.eq(channel))
                    .filter(contact_identities::live);
                // As for `FirstRow`, only an index with the order of the column is usable.
                let holder = of_channel
                    .filter(contact_identities::address.between(address.clone(), address))
                    .order(contact_identities::address.asc())
                    .select(contact_identities::contact_id)
                    .single_value();
                let row: Option<ReadRow> = find!(
                    &mut c,
                    contacts::table
                        .filter(contacts::workspace_id.eq(ws))
                        .filter(contacts::deleted_at.is_null())
                        .filter(contacts::id.nullable().eq(holder))
                        .select((ContactRow::as_select(), TagsAndFields))
                )?;
                Ok(assemble(&mut c, ws, row.into_iter().collect()).await?.pop())
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
        filter: &ContactFilter,
        page: SortedRequest,
    ) -> Result<SortedPage<Contact>, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        // Contacts without a value to sort by need their own query.
        let is_one = !contact_lists::is_nullable(page.order.by);
        let how = match contact_lists::is_free(&filter) {
            true => ReadMode::Planner,
            false if is_one => ReadMode::Statement,
            false => ReadMode::Snapshot,
        };
        self.read_at_cost(access, how == ReadMode::Planner, how, move |mut c| {
            Box::pin(async move {
                let rows = contact_lists::list(&mut c, ws, &filter, &page).await?;
                let keys: Vec<_> = rows.iter().map(|(row, _)| row.sort_key.clone()).collect();
                let contacts: Vec<_> = assemble(&mut c, ws, rows).await?.into_iter().zip(keys).collect();
                let place = |(it, key): &(Contact, Option<Vec<u8>>)| Position {
                    at: if page.order.by == SortBy::Name {
                        SortKey::Collated(key.clone())
                    } else {
                        it.sort_key(page.order.by)
                    },
                    id: it.id.uuid(),
                };
                let total = match page.counted {
                    true if page.is_all(contacts.len()) => Some(Total::of(contacts.len() as u64)),
                    true => Some(Total::of(contact_lists::count(&mut c, ws, &filter, Total::MOST + 1).await?)),
                    false => None,
                };
                Ok(Page::cut(contacts, page.limit, place).of_total(total).map(|(it, _)| it))
            })
        })
        .await
    }

    async fn count(&self, access: &Access, filter: &ContactFilter, most: u64) -> Result<u64, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        self.read_expensively(access, ReadMode::Statement, move |mut c| {
            Box::pin(async move { contact_lists::count(&mut c, ws, &filter, most).await })
        })
        .await
    }

    async fn reach(
        &self,
        access: &Access,
        filter: &ContactFilter,
        channel: ChannelId,
    ) -> Result<ChannelReach, StoreError> {
        let (ws, filter) = (DbId::from(access.workspace()), filter.clone());
        self.read_expensively(access, ReadMode::Statement, move |mut c| {
            Box::pin(async move { channel_reach::count(&mut c, ws, &filter, channel.into()).await })
        })
        .await
    }

    async fn custom_event(&self, access: &Access, event: CustomEventId) -> Result<Option<CustomEvent>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| Box::pin(async move { custom_events::read(&mut c, ws, event).await })).await
    }
}

//! Rows of contacts.

use std::collections::BTreeMap;

use diesel::prelude::*;
use tidings_domain::contacts::{AvatarUrl, Contact, ContactStatus, Email, ExternalId, Locale, Phone, TimeZone};

use crate::conditions::folding::Folded;
use crate::connection::faults::Fault;
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime};
use crate::schema::contacts;
use crate::write::{Column, Columns, OnPostgres, OnSqlite};

crate::write::write_texts! {
    ContactRecord: crate::write::Shape { deleted_at: Some("IS NULL"), ..crate::write::Shape::of("contacts") },
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = contacts)]
    pub(crate) struct ContactRow in contacts {
        pub(crate) workspace_id: DbId,
        pub(crate) id: DbId,
        pub(crate) external_id: Option<String>,
        pub(crate) first_name: Option<String>,
        pub(crate) last_name: Option<String>,
        /// The key of the email address.
        pub(crate) email: Option<String>,
        /// The address as written, if it differs from its key.
        pub(crate) email_written: Option<String>,
        pub(crate) phone: Option<String>,
        pub(crate) locale: Option<String>,
        pub(crate) time_zone: Option<String>,
        pub(crate) avatar_url: Option<String>,
        pub(crate) status: String,
        pub(crate) subscribed: bool,
        pub(crate) never_subscribed: bool,
        /// An update based on an older version must not move it back.
        pub(crate) last_message_at: Option<DbTime> = latest,
        pub(crate) created_at: DbTime,
        pub(crate) updated_at: DbTime,
        pub(crate) deleted_at: Option<DbTime>,
        pub(crate) version: i64,
        /// The stored sort key. It can be missing or belong to an earlier name.
        pub(crate) sort_key: Option<Vec<u8>>,
        pub(crate) sorted_version: Option<i64>,
    }
}

impl ContactRow {
    pub(crate) fn write(workspace_id: DbId, it: &Contact) -> Self {
        Self {
            workspace_id,
            id: it.id.into(),
            external_id: it.external_id.as_ref().map(ToString::to_string),
            first_name: it.first_name.clone(),
            last_name: it.last_name.clone(),
            email: it.email.as_ref().map(|it| it.key().to_owned()),
            email_written: it.email.as_ref().filter(|it| it.key() != it.as_str()).map(ToString::to_string),
            phone: it.phone.as_ref().map(ToString::to_string),
            locale: it.locale.as_ref().map(ToString::to_string),
            time_zone: it.time_zone.as_ref().map(ToString::to_string),
            avatar_url: it.avatar_url.as_ref().map(ToString::to_string),
            status: it.status.as_str().to_owned(),
            subscribed: it.subscribed,
            never_subscribed: it.never_subscribed,
            last_message_at: it.last_message_at.map(Into::into),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            deleted_at: it.deleted_at.map(Into::into),
            version: it.version,
            sort_key: it.name_sort_key(),
            sorted_version: Some(it.version),
        }
    }

    pub(crate) fn read(self) -> Result<Contact, Fault> {
        Ok(Contact {
            id: self.id.to_typed_id(),
            external_id: self.external_id.map(ExternalId::from_store),
            first_name: self.first_name,
            last_name: self.last_name,
            email: self.email.map(|key| Email::stored(key, self.email_written)),
            phone: self.phone.map(Phone::from_store),
            locale: self.locale.map(Locale::from_store),
            time_zone: self.time_zone.map(TimeZone::from_store),
            avatar_url: self.avatar_url.map(AvatarUrl::from_store),
            status: word(&self.status, "contact status", ContactStatus::parse)?,
            subscribed: self.subscribed,
            never_subscribed: self.never_subscribed,
            identities: Vec::new(),
            tags: Vec::new(),
            custom_fields: BTreeMap::new(),
            last_message_at: self.last_message_at.map(|time| time.0),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            deleted_at: self.deleted_at.map(|time| time.0),
            version: self.version,
        })
    }
}

/// A contact with its folded texts for searches.
#[derive(Debug, Clone)]
pub(crate) struct ContactRecord {
    row: ContactRow,
    folded: Folded,
}

impl ContactRecord {
    pub(crate) fn write(ws: DbId, it: &Contact) -> Self {
        Self { row: ContactRow::write(ws, it), folded: Folded::of(it) }
    }
}

impl Columns for ContactRecord {
    fn columns() -> Vec<Column> {
        ContactRow::columns().into_iter().chain(Folded::columns()).collect()
    }

    fn bind_all<'f>(rows: &[&'f Self], query: OnPostgres<'f>) -> OnPostgres<'f> {
        let query = ContactRow::bind_all(&rows.iter().map(|it| &it.row).collect::<Vec<_>>(), query);
        Folded::bind_all(&rows.iter().map(|it| &it.folded).collect::<Vec<_>>(), query)
    }

    fn bind<'f>(&'f self, query: OnSqlite<'f>) -> OnSqlite<'f> {
        self.folded.bind(self.row.bind(query))
    }
}

/// A contact, with its tags and values if they were read with the row.
pub(crate) type ReadRow = (ContactRow, Option<String>);

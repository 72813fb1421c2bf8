//! Searches for contacts by external ID, email address and phone number.

use std::collections::{BTreeMap, HashMap, HashSet};

use diesel::prelude::*;
use tidings_domain::contacts::Contact;

use super::tags_and_fields::TagsAndFields;
use super::{ContactRow, ReadRow, assemble};
use crate::connection::faults::Fault;
use crate::connection::{Connection, find};
use crate::queries::by_keys::ByKeys;
use crate::queries::first_row::FirstRow;
use crate::queries::loader::{Found, by_workspace};
use crate::queries::prepared_query::PreparedQuery;
use crate::queries::types::DbId;
use crate::schema::contacts;

/// A unique identifier of a contact in its workspace, other than its ID.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    ExternalId(String),
    Email(String),
    Phone(String),
}

impl Name {
    fn all(of: &Contact) -> impl Iterator<Item = Self> {
        let external_id = of.external_id.as_ref().map(|it| Self::ExternalId(it.to_string()));
        let email = of.email.as_ref().map(|it| Self::Email(it.key().to_owned()));
        [external_id, email, of.phone.as_ref().map(|it| Self::Phone(it.to_string()))].into_iter().flatten()
    }

    fn of_row(row: &ContactRow) -> impl Iterator<Item = Self> {
        let external_id = row.external_id.clone().map(Self::ExternalId);
        [external_id, row.email.clone().map(Self::Email), row.phone.clone().map(Self::Phone)].into_iter().flatten()
    }

    fn parts(self) -> (&'static str, String) {
        match self {
            Self::ExternalId(name) => ("external_id", name),
            Self::Email(name) => ("email", name),
            Self::Phone(name) => ("phone", name),
        }
    }
}

/// Returns the contacts with these names that are not deleted.
pub(crate) fn find_named(mut c: Connection<'_>, names: Vec<(DbId, Name)>) -> Found<'_, (DbId, Name), Contact> {
    Box::pin(async move {
        let wanted: HashSet<_> = names.iter().cloned().collect();
        let rows = named_rows(&mut c, names).await?;
        let mut found = HashMap::with_capacity(rows.len());
        for (ws, rows) in by_workspace(rows.into_iter().map(|row| (row.0.workspace_id, row)).collect()) {
            for contact in assemble(&mut c, ws, rows).await? {
                let keys = Name::all(&contact).map(|name| (ws, name)).filter(|key| wanted.contains(key));
                found.extend(keys.map(|key| (key, contact.clone())));
            }
        }
        Ok(found)
    })
}

async fn named_rows(c: &mut Connection<'_>, names: Vec<(DbId, Name)>) -> Result<Vec<ReadRow>, Fault> {
    let mut rows = Vec::with_capacity(names.len());
    match c {
        Connection::Postgres(connection) if names.len() > 1 => {
            let mut of_columns = BTreeMap::<_, Vec<_>>::new();
            for (ws, name) in names {
                let (column, name) = name.parts();
                of_columns.entry(column).or_default().push((ws, name));
            }
            for (column, names) in of_columns {
                let mut connection: &diesel_async::AsyncPgConnection = connection;
                let columns = contacts::table.select((ContactRow::as_select(), TagsAndFields));
                let query = PreparedQuery(ByKeys::named(columns, column, names));
                rows.extend(diesel_async::RunQueryDsl::load::<ReadRow>(query, &mut connection).await?);
            }
        }
        c => {
            // Imports name a contact three times: by its external ID, email address and phone number.
            let mut known = HashSet::new();
            for (ws, name) in names {
                if known.contains(&(ws, name.clone())) {
                    continue;
                }
                let row: Option<ReadRow> = find!(c, {
                    let query = contacts::table.filter(contacts::workspace_id.eq(ws)).into_boxed::<Db>();
                    let query = query.filter(contacts::deleted_at.is_null());
                    let query = match name {
                        Name::ExternalId(it) => query
                            .filter(contacts::external_id.between(it.clone(), it))
                            .order(FirstRow(contacts::external_id)),
                        Name::Email(it) => {
                            query.filter(contacts::email.between(it.clone(), it)).order(FirstRow(contacts::email))
                        }
                        Name::Phone(it) => {
                            query.filter(contacts::phone.between(it.clone(), it)).order(FirstRow(contacts::phone))
                        }
                    };
                    query.select((ContactRow::as_select(), TagsAndFields))
                })?;
                known.extend(row.iter().flat_map(|(row, _)| Name::of_row(row)).map(|name| (ws, name)));
                rows.extend(row);
            }
        }
    }
    Ok(rows)
}

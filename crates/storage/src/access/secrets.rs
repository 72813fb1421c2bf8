//! Sealed secrets of workspaces.

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::ids::TypedId;
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{SecretQueries, StoreError};
use tidings_domain::secrets::Secret;

use crate::Storage;
use crate::connection::faults::Fault;
use crate::connection::{counted_page, find, load};
use crate::queries::first_row::FirstRow;
use crate::queries::rows::{json, to_json};
use crate::queries::types::{DbId, DbTime};
use crate::schema::secrets;
use crate::write::declared::Tabled;

crate::write::write_texts! { SecretRow: crate::write::Shape::of("secrets") }

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = secrets)]
    pub(crate) struct SecretRow in secrets {
        workspace_id: DbId,
        id: DbId,
        name: String,
        sealed: Vec<u8>,
        hosts: String,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
    }
}

impl Tabled for Secret {
    type Row = SecretRow;

    fn row(workspace_id: DbId, it: &Self) -> Result<SecretRow, Fault> {
        Ok(SecretRow {
            workspace_id,
            id: it.id.into(),
            name: it.name.clone(),
            sealed: it.sealed.clone(),
            hosts: to_json(&it.hosts)?,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }
}

impl SecretRow {
    fn read(self) -> Result<Secret, Fault> {
        Ok(Secret {
            id: self.id.to_typed_id(),
            name: self.name,
            sealed: self.sealed,
            hosts: json(&self.hosts, "a secret's hosts")?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[async_trait]
impl SecretQueries for Storage {
    async fn get(&self, access: &Access, name: &str) -> Result<Option<Secret>, StoreError> {
        let (ws, name) = (DbId::from(access.workspace()), name.to_owned());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<SecretRow> = find!(&mut c, {
                    let query = secrets::table.filter(secrets::workspace_id.eq(ws)).into_boxed::<Db>();
                    query
                        .filter(secrets::name.between(name.clone(), name))
                        .order(FirstRow(secrets::name))
                        .select(SecretRow::as_select())
                })?;
                row.map(SecretRow::read).transpose()
            })
        })
        .await
    }

    async fn all(&self, access: &Access) -> Result<Vec<Secret>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<SecretRow> = load!(
                    &mut c,
                    secrets::table
                        .filter(secrets::workspace_id.eq(ws))
                        .order(secrets::name.asc())
                        .select(SecretRow::as_select())
                )?;
                rows.into_iter().map(SecretRow::read).collect()
            })
        })
        .await
    }

    async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<Secret>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<SecretRow>, _) =
                    counted_page!(&mut c, page, (secrets::created_at, secrets::id), {
                        let query = secrets::table.filter(secrets::workspace_id.eq(ws));
                        query.select(SecretRow::as_select()).into_boxed::<Db>()
                    });
                let secrets = rows.into_iter().map(SecretRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(secrets, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() })
                    .of_total(total))
            })
        })
        .await
    }
}

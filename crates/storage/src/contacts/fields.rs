//! Custom fields, their values on contacts, and bot fields.

mod options;
mod rows;
mod values;

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::Access;
use tidings_domain::fields::{BotField, CustomField, FieldRef};
use tidings_domain::ids::{BotFieldId, ContactId, FieldId, TypedId};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{FieldQueries, StoreError};

use crate::Storage;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, counted_page, find, load};
use crate::queries::first_row::FirstRow;
use crate::queries::loader::Found;
use crate::queries::types::DbId;
use crate::schema::{bot_fields, contact_values, custom_fields};

pub(crate) use options::retire;
use options::{Wanted, carriers, carrying};
pub(crate) use rows::{BotFieldRow, FieldRow, options_of};
pub(crate) use values::{ValuePlace, ValueRow, clear_values, put_values, sweep};

async fn of_workspace(c: &mut Connection<'_>, ws: DbId) -> Result<Vec<CustomField>, Fault> {
    let rows: Vec<FieldRow> = load!(
        c,
        custom_fields::table
            .filter(custom_fields::workspace_id.eq(ws))
            .order(custom_fields::key.asc())
            .select(FieldRow::as_select())
    )?;
    rows.into_iter().map(FieldRow::read).collect()
}

/// Returns the fields of each of these workspaces.
pub(crate) fn of_workspaces(mut c: Connection<'_>, workspaces: Vec<DbId>) -> Found<'_, DbId, Vec<CustomField>> {
    Box::pin(async move {
        let mut found = HashMap::with_capacity(workspaces.len());
        for ws in workspaces {
            found.insert(ws, of_workspace(&mut c, ws).await?);
        }
        Ok(found)
    })
}

#[async_trait]
impl FieldQueries for Storage {
    async fn get(&self, access: &Access, field: &FieldRef<FieldId>) -> Result<Option<CustomField>, StoreError> {
        let (ws, field) = (DbId::from(access.workspace()), field.clone());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<FieldRow> = find!(&mut c, {
                    let query = custom_fields::table.filter(custom_fields::workspace_id.eq(ws)).into_boxed::<Db>();
                    let query = match field {
                        FieldRef::Id(id) => query.filter(custom_fields::id.eq(DbId::from(id))),
                        FieldRef::Key(key) => query
                            .filter(custom_fields::key.between(key.clone(), key))
                            .order(FirstRow(custom_fields::key)),
                    };
                    query.select(FieldRow::as_select())
                })?;
                row.map(FieldRow::read).transpose()
            })
        })
        .await
    }

    async fn all(&self, access: &Access) -> Result<Vec<CustomField>, StoreError> {
        let ws = DbId::from(access.workspace());
        if self.shares_lookups() {
            return Ok(self.loaders.fields.load(&self.backend, ws).await?.unwrap_or_default());
        }
        self.read(ws, move |mut c| Box::pin(async move { of_workspace(&mut c, ws).await })).await
    }

    async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<CustomField>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<FieldRow>, _) =
                    counted_page!(&mut c, page, (custom_fields::created_at, custom_fields::id), {
                        let query = custom_fields::table.filter(custom_fields::workspace_id.eq(ws));
                        query.select(FieldRow::as_select()).into_boxed::<Db>()
                    });
                let fields = rows.into_iter().map(FieldRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(fields, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }

    async fn has_values(&self, access: &Access, field: FieldId) -> Result<bool, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(field));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let left: Option<DbId> = find!(
                    &mut c,
                    contact_values::table
                        .filter(contact_values::workspace_id.eq_unindexed(ws))
                        .filter(contact_values::field_id.eq(id))
                        .select(contact_values::contact_id)
                        .limit(1)
                )?;
                Ok(left.is_some())
            })
        })
        .await
    }

    async fn carriers(
        &self,
        access: &Access,
        field: &CustomField,
        options: &[String],
        most: u64,
    ) -> Result<u64, StoreError> {
        let (ws, wanted) = (DbId::from(access.workspace()), Wanted::of(field, options));
        self.read(ws, move |mut c| Box::pin(async move { carriers(&mut c, ws, wanted, most).await })).await
    }

    async fn carrying(
        &self,
        access: &Access,
        field: &CustomField,
        options: &[String],
        after: Option<ContactId>,
        limit: u32,
    ) -> Result<Vec<(ContactId, serde_json::Value)>, StoreError> {
        let (ws, wanted) = (DbId::from(access.workspace()), Wanted::of(field, options));
        self.read(ws, move |mut c| Box::pin(async move { carrying(&mut c, ws, wanted, after, limit).await })).await
    }

    async fn bot(&self, access: &Access, field: &FieldRef<BotFieldId>) -> Result<Option<BotField>, StoreError> {
        let (ws, field) = (DbId::from(access.workspace()), field.clone());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let row: Option<BotFieldRow> = find!(&mut c, {
                    let query = bot_fields::table.filter(bot_fields::workspace_id.eq(ws)).into_boxed::<Db>();
                    let query = match field {
                        FieldRef::Id(id) => query.filter(bot_fields::id.eq(DbId::from(id))),
                        FieldRef::Key(key) => {
                            query.filter(bot_fields::key.between(key.clone(), key)).order(FirstRow(bot_fields::key))
                        }
                    };
                    query.select(BotFieldRow::as_select())
                })?;
                row.map(BotFieldRow::read).transpose()
            })
        })
        .await
    }

    async fn bot_all(&self, access: &Access) -> Result<Vec<BotField>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<BotFieldRow> = load!(
                    &mut c,
                    bot_fields::table
                        .filter(bot_fields::workspace_id.eq(ws))
                        .order(bot_fields::key.asc())
                        .select(BotFieldRow::as_select())
                )?;
                rows.into_iter().map(BotFieldRow::read).collect()
            })
        })
        .await
    }

    async fn bot_list(&self, access: &Access, page: PageRequest) -> Result<Page<BotField>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let (rows, total): (Vec<BotFieldRow>, _) =
                    counted_page!(&mut c, page, (bot_fields::created_at, bot_fields::id), {
                        let query = bot_fields::table.filter(bot_fields::workspace_id.eq(ws));
                        query.select(BotFieldRow::as_select()).into_boxed::<Db>()
                    });
                let fields = rows.into_iter().map(BotFieldRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(fields, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }).of_total(total))
            })
        })
        .await
    }
}

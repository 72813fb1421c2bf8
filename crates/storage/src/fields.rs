//! Custom fields, their values on contacts, and bot fields.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Integer, Nullable, Text};
use tidings_domain::access::Access;
use tidings_domain::fields::{BotField, CustomField, FieldKind, FieldRef, FieldValue, long_text};
use tidings_domain::ids::{BotFieldId, ContactId, FieldId, TypedId};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{Conflict, FieldQueries, Object, StoreError};

use crate::Storage;
use crate::connection::{Connection, execute, find, keyset, load};
use crate::faults::Fault;
use crate::folding::FOLDING;
use crate::rows::{exactly_one, json, to_json, word};
use crate::schema::{bot_fields, contact_values, custom_fields};
use crate::types::{DbId, DbTime, Id};

#[derive(Debug, Clone, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = custom_fields, primary_key(workspace_id, id), treat_none_as_null = true)]
struct FieldRow {
    workspace_id: DbId,
    id: DbId,
    key: String,
    name: String,
    kind: String,
    options: String,
    rules: String,
    created_at: DbTime,
    updated_at: DbTime,
    version: i64,
}

impl FieldRow {
    fn write(workspace_id: DbId, it: &CustomField) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            key: it.key.clone(),
            name: it.name.clone(),
            kind: it.kind.as_str().to_owned(),
            options: to_json(&it.options)?,
            rules: to_json(&it.rules)?,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }

    fn read(self) -> Result<CustomField, Fault> {
        Ok(CustomField {
            id: self.id.typed(),
            key: self.key,
            name: self.name,
            kind: word(&self.kind, "field type", FieldKind::parse)?,
            options: json(&self.options, "options")?,
            rules: json(&self.rules, "rules")?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[derive(Debug, Clone, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = bot_fields, primary_key(workspace_id, id), treat_none_as_null = true)]
struct BotFieldRow {
    workspace_id: DbId,
    id: DbId,
    key: String,
    name: String,
    kind: String,
    value: Option<String>,
    created_at: DbTime,
    updated_at: DbTime,
    version: i64,
}

impl BotFieldRow {
    fn write(workspace_id: DbId, it: &BotField) -> Result<Self, Fault> {
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            key: it.key.clone(),
            name: it.name.clone(),
            kind: it.kind.as_str().to_owned(),
            value: it.value.as_ref().map(to_json).transpose()?,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }

    fn read(self) -> Result<BotField, Fault> {
        Ok(BotField {
            id: self.id.typed(),
            key: self.key,
            name: self.name,
            kind: word(&self.kind, "field type", FieldKind::parse)?,
            value: self.value.map(|value| json(&value, "a bot field's value")).transpose()?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[async_trait]
impl FieldQueries for Storage {
    async fn get(&self, access: &Access, field: &FieldRef<FieldId>) -> Result<Option<CustomField>, StoreError> {
        let (ws, field) = (DbId::from(access.workspace()), field.clone());
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<FieldRow> = find!(&mut c, {
                    let query = custom_fields::table.filter(custom_fields::workspace_id.eq(ws)).into_boxed::<Db>();
                    let query = match field {
                        FieldRef::Id(id) => query.filter(custom_fields::id.eq(DbId::from(id))),
                        FieldRef::Key(key) => query.filter(custom_fields::key.eq(key)),
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
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<FieldRow> = load!(
                    &mut c,
                    custom_fields::table
                        .filter(custom_fields::workspace_id.eq(ws))
                        .order(custom_fields::key.asc())
                        .select(FieldRow::as_select())
                )?;
                rows.into_iter().map(FieldRow::read).collect()
            })
        })
        .await
    }

    async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<CustomField>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<FieldRow> = load!(&mut c, {
                    let query = custom_fields::table.filter(custom_fields::workspace_id.eq(ws));
                    let query = query.select(FieldRow::as_select()).into_boxed::<Db>();
                    keyset!(query, page, custom_fields::created_at, custom_fields::id)
                })?;
                let fields = rows.into_iter().map(FieldRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(fields, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }))
            })
        })
        .await
    }

    async fn has_values(&self, access: &Access, field: FieldId) -> Result<bool, StoreError> {
        let (ws, id) = (DbId::from(access.workspace()), DbId::from(field));
        self.read(move |mut c| {
            Box::pin(async move {
                let left: Option<DbId> = find!(
                    &mut c,
                    contact_values::table
                        .filter(contact_values::workspace_id.eq(ws))
                        .filter(contact_values::field_id.eq(id))
                        .select(contact_values::contact_id)
                        .limit(1)
                )?;
                Ok(left.is_some())
            })
        })
        .await
    }

    async fn bot(&self, access: &Access, field: &FieldRef<BotFieldId>) -> Result<Option<BotField>, StoreError> {
        let (ws, field) = (DbId::from(access.workspace()), field.clone());
        self.read(move |mut c| {
            Box::pin(async move {
                let row: Option<BotFieldRow> = find!(&mut c, {
                    let query = bot_fields::table.filter(bot_fields::workspace_id.eq(ws)).into_boxed::<Db>();
                    let query = match field {
                        FieldRef::Id(id) => query.filter(bot_fields::id.eq(DbId::from(id))),
                        FieldRef::Key(key) => query.filter(bot_fields::key.eq(key)),
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
        self.read(move |mut c| {
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
        self.read(move |mut c| {
            Box::pin(async move {
                let rows: Vec<BotFieldRow> = load!(&mut c, {
                    let query = bot_fields::table.filter(bot_fields::workspace_id.eq(ws));
                    let query = query.select(BotFieldRow::as_select()).into_boxed::<Db>();
                    keyset!(query, page, bot_fields::created_at, bot_fields::id)
                })?;
                let fields = rows.into_iter().map(BotFieldRow::read).collect::<Result<Vec<_>, _>>()?;
                Ok(Page::cut(fields, page.limit, |it| Position { at: it.created_at, id: it.id.uuid() }))
            })
        })
        .await
    }
}

pub(crate) async fn insert(c: &mut Connection<'_>, ws: DbId, it: &CustomField) -> Result<(), Fault> {
    let row = FieldRow::write(ws, it)?;
    execute!(c, diesel::insert_into(custom_fields::table).values(row)).map(|_| ())
}

pub(crate) async fn update(c: &mut Connection<'_>, ws: DbId, it: &CustomField) -> Result<(), Fault> {
    let row = FieldRow::write(ws, it)?;
    let target = custom_fields::table.find((ws, DbId::from(it.id))).filter(custom_fields::version.eq(it.version - 1));
    let rows = execute!(c, diesel::update(target).set(row))?;
    exactly_one(rows, Conflict::Stale(Object::Field(it.id)))
}

pub(crate) async fn delete(c: &mut Connection<'_>, ws: DbId, field: FieldId) -> Result<(), Fault> {
    let rows = execute!(c, diesel::delete(custom_fields::table.find((ws, DbId::from(field)))))?;
    exactly_one(rows, Conflict::Stale(Object::Field(field)))
}

/// Lists of options are kept apart: they are searched by element, and may be long.
pub(crate) fn keys(value: &FieldValue) -> (Option<String>, Option<String>) {
    let key = value.match_key.clone();
    if value.json.is_array() { (None, Some(key)) } else { (Some(key), None) }
}

pub(crate) async fn put_value(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    field: FieldId,
    value: &FieldValue,
) -> Result<(), Fault> {
    let (match_key, elements) = keys(value);
    let json = to_json(&value.json)?;
    let long_text = long_text(&value.json);
    let changes = (
        contact_values::value.eq(json.clone()),
        contact_values::match_key.eq(match_key.clone()),
        contact_values::elements.eq(elements.clone()),
        contact_values::long_text.eq(long_text.clone()),
        contact_values::folding.eq(FOLDING),
    );
    let place = contact_values::table.find((ws, DbId::from(contact), DbId::from(field)));
    // The contact's own row is locked by now, so nobody sets the same value between these two.
    if execute!(c, diesel::update(place).set(changes))? == 0 {
        // The field's own row is the source, so that no value names a field that is not the workspace's.
        let row = custom_fields::table.find((ws, DbId::from(field))).select((
            custom_fields::workspace_id,
            DbId::from(contact).into_sql::<Id>(),
            custom_fields::id,
            json.into_sql::<Text>(),
            match_key.into_sql::<Nullable<Text>>(),
            elements.into_sql::<Nullable<Text>>(),
            long_text.into_sql::<Nullable<Text>>(),
            FOLDING.into_sql::<Integer>(),
        ));
        let columns = (
            contact_values::workspace_id,
            contact_values::contact_id,
            contact_values::field_id,
            contact_values::value,
            contact_values::match_key,
            contact_values::elements,
            contact_values::long_text,
            contact_values::folding,
        );
        let rows = execute!(c, row.insert_into(contact_values::table).into_columns(columns))?;
        return exactly_one(rows, Conflict::Stale(Object::Field(field)));
    }
    Ok(())
}

pub(crate) async fn clear_value(
    c: &mut Connection<'_>,
    ws: DbId,
    contact: ContactId,
    field: FieldId,
) -> Result<(), Fault> {
    let place = contact_values::table.find((ws, DbId::from(contact), DbId::from(field)));
    execute!(c, diesel::delete(place)).map(|_| ())
}

/// Removes at most `limit` values of a field that is gone.
pub(crate) async fn sweep(c: &mut Connection<'_>, ws: DbId, field: FieldId, limit: u32) -> Result<(), Fault> {
    let field = DbId::from(field);
    let of_field =
        contact_values::table.filter(contact_values::workspace_id.eq(ws)).filter(contact_values::field_id.eq(field));
    let contacts: Vec<DbId> = load!(c, of_field.select(contact_values::contact_id).limit(i64::from(limit)))?;
    let swept = contact_values::table
        .filter(contact_values::workspace_id.eq(ws))
        .filter(contact_values::field_id.eq(field))
        .filter(contact_values::contact_id.eq_any(contacts));
    execute!(c, diesel::delete(swept)).map(|_| ())
}

pub(crate) async fn insert_bot(c: &mut Connection<'_>, ws: DbId, it: &BotField) -> Result<(), Fault> {
    let row = BotFieldRow::write(ws, it)?;
    execute!(c, diesel::insert_into(bot_fields::table).values(row)).map(|_| ())
}

pub(crate) async fn update_bot(c: &mut Connection<'_>, ws: DbId, it: &BotField) -> Result<(), Fault> {
    let row = BotFieldRow::write(ws, it)?;
    let target = bot_fields::table.find((ws, DbId::from(it.id))).filter(bot_fields::version.eq(it.version - 1));
    let rows = execute!(c, diesel::update(target).set(row))?;
    exactly_one(rows, Conflict::Stale(Object::BotField(it.id)))
}

pub(crate) async fn delete_bot(c: &mut Connection<'_>, ws: DbId, field: BotFieldId) -> Result<(), Fault> {
    let rows = execute!(c, diesel::delete(bot_fields::table.find((ws, DbId::from(field)))))?;
    exactly_one(rows, Conflict::Stale(Object::BotField(field)))
}

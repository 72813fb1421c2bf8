//! Custom fields, their values on contacts, and bot fields.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Nullable, Text};
use tidings_domain::access::Access;
use tidings_domain::fields::{BotField, CustomField, FieldKind, FieldRef, FieldValue, cut_key, element_key, long_text};
use tidings_domain::ids::{BotFieldId, ContactId, FieldId, TypedId};
use tidings_domain::pagination::{Page, PageRequest, Position};
use tidings_domain::ports::{Conflict, FieldQueries, Object, StoreError};
use tidings_domain::references::Referent;
use tidings_domain::text::fold;

use crate::Storage;
use crate::checked::Checked;
use crate::conditions::literal;
use crate::connection::{Connection, execute, execute_any, find, listed, load, load_free, named, on_either};
use crate::faults::Fault;
use crate::folding::FOLDING;
use crate::rows::{exactly_one, json, to_json, word};
use crate::schema::{bot_fields, contact_values, contacts, custom_fields};
use crate::types::{DbId, DbTime, Id};

#[derive(Debug, Clone, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = custom_fields, primary_key(workspace_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
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
    /// Changed by a change of its own.
    #[diesel(skip_update)]
    retired: Option<String>,
}

/// A list of options, as it is kept: nothing where there are none.
fn options_text(options: &[String]) -> Result<Option<String>, Fault> {
    if options.is_empty() { Ok(None) } else { to_json(&options).map(Some) }
}

/// What [`options_text`] wrote.
pub(crate) fn options_of(text: Option<&str>) -> Result<Vec<String>, Fault> {
    text.map_or(Ok(Vec::new()), |text| json(text, "options"))
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
            retired: options_text(&it.retired)?,
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
            retired: options_of(self.retired.as_deref())?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

#[derive(Debug, Clone, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = bot_fields, primary_key(workspace_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
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

/// Options that are looked for in the values of a field.
#[derive(Clone)]
struct Wanted {
    field: DbId,
    options: Vec<String>,
    is_list: bool,
}

impl Wanted {
    fn of(field: &CustomField, options: &[String]) -> Self {
        Self { field: field.id.into(), options: options.to_vec(), is_list: field.kind == FieldKind::MultiSelect }
    }

    fn keys(&self) -> Vec<String> {
        self.options.iter().map(|option| cut_key(&fold(option))).collect()
    }

    /// The values as they are kept, as options that differ in case have one key.
    fn texts(&self) -> Vec<String> {
        self.options.iter().map(|option| serde_json::Value::from(option.as_str()).to_string()).collect()
    }

    fn patterns(&self) -> Vec<String> {
        self.options.iter().map(|option| format!("%{}%", literal(&element_key(&fold(option))))).collect()
    }
}

/// A boxed query of values, narrowed to those that hold one of the options.
macro_rules! carrying {
    ($query:expr, $ws:expr, $wanted:expr) => {{
        type Test = Box<dyn BoxableExpression<contact_values::table, Db, SqlType = Nullable<Bool>>>;
        use contact_values::{elements, field_id, match_key, value, workspace_id};
        let query = $query.filter(workspace_id.checked($ws)).filter(field_id.eq($wanted.field));
        if $wanted.is_list {
            let has = |pattern: String| -> Test { Box::new(elements.like(pattern).escape('\\')) };
            let any = $wanted.patterns().into_iter().map(has).reduce(|any, it| Box::new(any.or(it)));
            query.filter(any.unwrap_or_else(|| Box::new(false.into_sql::<Nullable<Bool>>())))
        } else {
            query.filter(match_key.eq_any($wanted.keys())).filter(value.eq_any($wanted.texts()))
        }
    }};
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
                        FieldRef::Key(key) => named!(query, custom_fields::key, key),
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
                let (rows, total): (Vec<FieldRow>, _) =
                    listed!(&mut c, page, (custom_fields::created_at, custom_fields::id), {
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
        self.read(move |mut c| {
            Box::pin(async move {
                let left: Option<DbId> = find!(
                    &mut c,
                    contact_values::table
                        .filter(contact_values::workspace_id.checked(ws))
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
        self.read(move |mut c| Box::pin(async move { carriers(&mut c, ws, wanted, most).await })).await
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
        self.read(move |mut c| {
            Box::pin(async move {
                let holders: Vec<(DbId, String)> = load_free!(&mut c, {
                    let columns = (contact_values::contact_id, contact_values::value);
                    let query = contact_values::table.select(columns).into_boxed::<Db>();
                    let query = carrying!(query, ws, wanted);
                    let query = match after {
                        Some(after) => query.filter(contact_values::contact_id.gt(DbId::from(after))),
                        None => query,
                    };
                    query.order(contact_values::contact_id.asc()).limit(i64::from(limit))
                })?;
                let value = |text: String| json(&text, "a custom field's value");
                holders.into_iter().map(|(contact, text)| Ok((contact.typed(), value(text)?))).collect()
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
                        FieldRef::Key(key) => named!(query, bot_fields::key, key),
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
                let (rows, total): (Vec<BotFieldRow>, _) =
                    listed!(&mut c, page, (bot_fields::created_at, bot_fields::id), {
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

/// The options that are being taken off contacts become `to`, where they are `from`.
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
    exactly_one(rows, Conflict::Stale(Object::Field(field)))?;
    if !unused {
        return Ok(());
    }
    // The field's row is locked by now: who set a value before has committed, and who comes later waits.
    let row: FieldRow =
        on_either!(c, get_result, custom_fields::table.find((ws, DbId::from(field))).select(FieldRow::as_select()))?;
    match carriers(c, ws, Wanted::of(&row.read()?, &new), 1).await? {
        0 => Ok(()),
        _ => Err(Conflict::InUse(Referent::Field(field)).into()),
    }
}

/// How many living contacts carry one of these options, counted up to `most`.
async fn carriers(c: &mut Connection<'_>, ws: DbId, wanted: Wanted, most: u64) -> Result<u64, Fault> {
    let holders: Vec<DbId> = load_free!(c, {
        let living = contacts::table
            .filter(contacts::workspace_id.eq(contact_values::workspace_id))
            .filter(contacts::id.eq(contact_values::contact_id))
            .filter(contacts::deleted_at.is_null());
        let query = contact_values::table.select(contact_values::contact_id).into_boxed::<Db>();
        let query = carrying!(query, ws, wanted).filter(diesel::dsl::exists(living));
        query.limit(i64::try_from(most).unwrap_or(i64::MAX))
    })?;
    Ok(holders.len() as u64)
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
    let of_field = contact_values::table
        .filter(contact_values::workspace_id.checked(ws))
        .filter(contact_values::field_id.eq(field));
    let contacts: Vec<DbId> = load!(c, of_field.select(contact_values::contact_id).limit(i64::from(limit)))?;
    let swept = contact_values::table
        .filter(contact_values::workspace_id.checked(ws))
        .filter(contact_values::field_id.eq(field))
        .filter(contact_values::contact_id.eq_any(contacts));
    execute_any!(c, diesel::delete(swept)).map(|_| ())
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

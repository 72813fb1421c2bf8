//! Custom fields, their values on contacts, and bot fields.

use std::sync::LazyLock;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable};
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
use crate::fixed::Fixed;
use crate::folding::FOLDING;
use crate::rows::{exactly_one, json, to_json, word};
use crate::schema::{bot_fields, contact_values, contacts, custom_fields};
use crate::types::{DbId, DbTime, Id};
use crate::write::{self, Columns, Missed};

crate::write::written! {
    FieldRow: crate::write::Shape::of("custom_fields"),
    BotFieldRow: crate::write::Shape::of("bot_fields"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = custom_fields)]
    pub(crate) struct FieldRow in custom_fields {
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
        retired: Option<String> = kept,
    }
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
    pub(crate) fn write(workspace_id: DbId, it: &CustomField) -> Result<Self, Fault> {
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

    pub(crate) fn read(self) -> Result<CustomField, Fault> {
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

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = bot_fields)]
    pub(crate) struct BotFieldRow in bot_fields {
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
}

impl BotFieldRow {
    pub(crate) fn write(workspace_id: DbId, it: &BotField) -> Result<Self, Fault> {
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
        let query = carrying!(query, ws, wanted).filter(diesel::dsl::exists(living.offset(0)));
        query.limit(i64::try_from(most).unwrap_or(i64::MAX))
    })?;
    Ok(holders.len() as u64)
}

/// Lists of options are kept apart: they are searched by element, and may be long.
pub(crate) fn keys(value: &FieldValue) -> (Option<String>, Option<String>) {
    let key = value.match_key.clone();
    if value.json.is_array() { (None, Some(key)) } else { (Some(key), None) }
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

crate::write::row! {
    /// A contact's value of a custom field.
    #[derive(Debug, Clone)]
    pub(crate) struct ValueRow in contact_values {
        workspace_id: DbId,
        contact_id: DbId,
        field_id: DbId,
        value: String,
        match_key: Option<String>,
        elements: Option<String>,
        long_text: Option<String>,
        folding: i32,
    }
}

impl ValueRow {
    /// Of which field it is.
    pub(crate) fn field(&self) -> FieldId {
        self.field_id.typed()
    }

    pub(crate) fn write(ws: DbId, contact: ContactId, field: FieldId, value: &FieldValue) -> Result<Self, Fault> {
        let (match_key, elements) = keys(value);
        Ok(Self {
            workspace_id: ws,
            contact_id: contact.into(),
            field_id: field.into(),
            value: to_json(&value.json)?,
            match_key,
            elements,
            long_text: long_text(&value.json),
            folding: FOLDING,
        })
    }
}

crate::write::row! {
    /// Where a contact's value of a custom field is.
    #[derive(Debug, Clone)]
    pub(crate) struct ValuePlace in contact_values {
        pub(crate) workspace_id: DbId,
        pub(crate) contact_id: DbId,
        pub(crate) field_id: DbId,
    }
}

/// What a value is replaced by.
const REPLACED: &str = "ON CONFLICT (workspace_id, contact_id, field_id) DO UPDATE SET value = excluded.value, \
    match_key = excluded.match_key, elements = excluded.elements, long_text = excluded.long_text, \
    folding = excluded.folding";

#[derive(QueryableByName)]
struct Put {
    #[diesel(sql_type = Id)]
    contact_id: DbId,
    #[diesel(sql_type = Id)]
    field_id: DbId,
}

/// Sets values, or replaces them; says which fields are not there. The field's own row is the source, so that no value
/// names a field that is not the workspace's.
pub(crate) async fn put_values(c: &mut Connection<'_>, rows: &[ValueRow]) -> Result<Missed, Fault> {
    static ON_POSTGRES: LazyLock<String> = LazyLock::new(|| {
        let columns = ValueRow::columns();
        let (names, arrays) = (write::names(&columns), write::arrays(&columns));
        let made = columns.iter().map(|it| format!("v.\"{}\"", it.name)).collect::<Vec<_>>().join(", ");
        format!(
            "INSERT INTO contact_values ({names}) SELECT {made} FROM unnest({arrays}) AS v ({names}) CROSS JOIN LATERAL \
             (SELECT 1 FROM custom_fields f WHERE f.workspace_id = v.workspace_id AND f.id = v.field_id LIMIT 1) AS f \
             {REPLACED} RETURNING contact_id, field_id"
        )
    });
    static ON_SQLITE: LazyLock<String> = LazyLock::new(|| {
        let names = write::names(&ValueRow::columns());
        format!(
            "INSERT INTO contact_values ({names}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM custom_fields \
             WHERE workspace_id = ?1 AND id = ?3 {REPLACED}"
        )
    });
    let connection = match c {
        Connection::Postgres(connection) => connection,
        Connection::Sqlite(connection) => return write::each(connection, rows, &ON_SQLITE),
    };
    let query =
        ValueRow::bind_all(&rows.iter().collect::<Vec<_>>(), diesel::sql_query(ON_POSTGRES.as_str()).into_boxed());
    let mut connection: &diesel_async::AsyncPgConnection = connection;
    let made: Vec<Put> = diesel_async::RunQueryDsl::load(Fixed(query), &mut connection).await?;
    let is_made = |row: &ValueRow| made.iter().any(|it| (it.contact_id, it.field_id) == (row.contact_id, row.field_id));
    let missed = |(place, row)| (!is_made(row)).then_some(place);
    Ok(if made.len() == rows.len() { Missed::new() } else { rows.iter().enumerate().filter_map(missed).collect() })
}

const CLEAR_ON_POSTGRES: &str = "DELETE FROM contact_values AS t USING unnest((SELECT $1::uuid[]), \
    (SELECT $2::uuid[]), (SELECT $3::uuid[])) AS v (workspace_id, contact_id, field_id) CROSS JOIN LATERAL \
    (SELECT f.ctid FROM contact_values f WHERE f.workspace_id = v.workspace_id AND f.contact_id = v.contact_id \
    AND f.field_id = v.field_id LIMIT 1 FOR UPDATE) AS found WHERE t.ctid = found.ctid";
const CLEAR_ON_SQLITE: &str =
    "DELETE FROM contact_values WHERE workspace_id = ?1 AND contact_id = ?2 AND field_id = ?3";

/// Takes values away, where they are.
pub(crate) async fn clear_values(c: &mut Connection<'_>, rows: &[ValuePlace]) -> Result<(), Fault> {
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, rows, CLEAR_ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, rows, CLEAR_ON_SQLITE).map(|_| ()),
    }
}

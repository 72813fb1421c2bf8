//! The values of custom fields on contacts.

use std::sync::LazyLock;

use diesel::prelude::*;
use tidings_domain::fields::{FieldValue, long_text};
use tidings_domain::ids::{ContactId, FieldId};

use crate::conditions::folding::FOLDING;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, load};
use crate::queries::prepared_query::{self, PreparedQuery};
use crate::queries::rows::to_json;
use crate::queries::types::{DbId, Id};
use crate::schema::contact_values;
use crate::write::{self, Columns, MissedRows, OnSqlite};

/// Returns the key of a single value or of a list of options. Lists have a separate column: they are searched by
/// element and can be long.
fn keys(value: &FieldValue) -> (Option<String>, Option<String>) {
    let key = value.match_key.clone();
    if value.json.is_array() { (None, Some(key)) } else { (Some(key), None) }
}

pub(crate) async fn sweep(c: &mut Connection<'_>, ws: DbId, field: FieldId, limit: u32) -> Result<(), Fault> {
    let field = DbId::from(field);
    let of_field = contact_values::table
        .filter(contact_values::workspace_id.eq_unindexed(ws))
        .filter(contact_values::field_id.eq(field));
    let contacts: Vec<DbId> = load!(c, of_field.select(contact_values::contact_id).limit(i64::from(limit)))?;
    let swept = contact_values::table
        .filter(contact_values::workspace_id.eq_unindexed(ws))
        .filter(contact_values::field_id.eq(field))
        .filter(contact_values::contact_id.eq_any(contacts));
    execute!(cached_on_postgres, c, diesel::delete(swept)).map(|_| ())
}

crate::write::row! {
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
    pub(crate) fn field(&self) -> FieldId {
        self.field_id.to_typed_id()
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
    #[derive(Debug, Clone)]
    pub(crate) struct ValuePlace in contact_values {
        pub(crate) workspace_id: DbId,
        pub(crate) contact_id: DbId,
        pub(crate) field_id: DbId,
    }
}

impl ValuePlace {
    pub(crate) fn write(ws: DbId, contact: ContactId, field: FieldId) -> Self {
        Self { workspace_id: ws, contact_id: contact.into(), field_id: field.into() }
    }
}

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

/// Inserts or replaces values. Returns the values with a missing field. The statement reads the field's own row, and a
/// value can only refer to a field of its workspace.
pub(crate) async fn put_values(c: &mut Connection<'_>, rows: &[ValueRow]) -> Result<MissedRows, Fault> {
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
    let connection = match c {
        Connection::Postgres(connection) => connection,
        Connection::Sqlite(connection) => return put_on_sqlite(connection, rows),
    };
    let query =
        ValueRow::bind_all(&rows.iter().collect::<Vec<_>>(), diesel::sql_query(ON_POSTGRES.as_str()).into_boxed());
    let mut connection: &diesel_async::AsyncPgConnection = connection;
    let made: Vec<Put> = diesel_async::RunQueryDsl::load(PreparedQuery(query), &mut connection).await?;
    let is_made = |row: &ValueRow| made.iter().any(|it| (it.contact_id, it.field_id) == (row.contact_id, row.field_id));
    let missed = |(place, row)| (!is_made(row)).then_some(place);
    Ok(if made.len() == rows.len() { MissedRows::new() } else { rows.iter().enumerate().filter_map(missed).collect() })
}

/// Maximum number of values that one statement on SQLite writes. Each number has its own statement.
const TOGETHER: usize = 8;

/// Returns the text that writes this number of values on SQLite.
fn text_on_sqlite(rows: usize) -> String {
    let columns = ValueRow::columns();
    let width = columns.len();
    let row = |place: usize| {
        let values: Vec<_> = (1..=width).map(|column| format!("?{}", place * width + column)).collect();
        format!("({})", values.join(", "))
    };
    let made: Vec<_> = (1..=width).map(|column| format!("v.column{column}")).collect();
    let (names, made) = (write::names(&columns), made.join(", "));
    let values = (0..rows).map(row).collect::<Vec<_>>().join(", ");
    format!(
        "INSERT INTO contact_values ({names}) SELECT {made} FROM (VALUES {values}) AS v CROSS JOIN custom_fields AS f \
         WHERE f.workspace_id = v.column1 AND f.id = v.column3 {REPLACED}"
    )
}

fn put_on_sqlite(connection: &mut SqliteConnection, rows: &[ValueRow]) -> Result<MissedRows, Fault> {
    static ONE: LazyLock<String> = LazyLock::new(|| text_on_sqlite(1));
    static SEVERAL: LazyLock<Vec<String>> = LazyLock::new(|| (0..=TOGETHER).map(text_on_sqlite).collect());
    let mut missed = MissedRows::new();
    for (rows, first) in rows.chunks(TOGETHER).zip((0..).step_by(TOGETHER)) {
        let text = SEVERAL.get(rows.len()).cloned().unwrap_or_else(|| text_on_sqlite(rows.len()));
        let query: OnSqlite<'_> = diesel::sql_query(text).into_boxed();
        let query = rows.iter().fold(query, |query, row| row.bind(query));
        if prepared_query::execute(query, connection)? < rows.len() {
            // A field is missing. The same values again show which.
            missed.extend(write::each(connection, rows, &ONE)?.into_iter().map(|place| first + place));
        }
    }
    Ok(missed)
}

const CLEAR_ON_POSTGRES: &str = "DELETE FROM contact_values AS t USING unnest((SELECT $1::uuid[]), \
    (SELECT $2::uuid[]), (SELECT $3::uuid[])) AS v (workspace_id, contact_id, field_id) CROSS JOIN LATERAL \
    (SELECT f.ctid FROM contact_values f WHERE f.workspace_id = v.workspace_id AND f.contact_id = v.contact_id \
    AND f.field_id = v.field_id LIMIT 1 FOR UPDATE) AS found WHERE t.ctid = found.ctid";
const CLEAR_ON_SQLITE: &str =
    "DELETE FROM contact_values WHERE workspace_id = ?1 AND contact_id = ?2 AND field_id = ?3";

pub(crate) async fn clear_values(c: &mut Connection<'_>, rows: &[ValuePlace]) -> Result<(), Fault> {
    match c {
        Connection::Postgres(connection) => write::execute_all(connection, rows, CLEAR_ON_POSTGRES).await.map(|_| ()),
        Connection::Sqlite(connection) => write::each(connection, rows, CLEAR_ON_SQLITE).map(|_| ()),
    }
}

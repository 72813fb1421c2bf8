//! Declarations of rows. A declaration defines the struct, its columns and the statements that write it.

use diesel::pg::Pg;
use diesel::query_builder::{BoxedSqlQuery, SqlQuery};
use diesel::sql_types::{BigInt, Binary, Bool, Integer, Nullable, Text};
use diesel::sqlite::Sqlite;

use crate::queries::types::{Id, Instant};

pub(crate) type OnPostgres<'f> = BoxedSqlQuery<'f, Pg, SqlQuery>;
pub(crate) type OnSqlite<'f> = BoxedSqlQuery<'f, Sqlite, SqlQuery>;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    /// The name of its type in PostgreSQL.
    pub(crate) on_postgres: &'static str,
    pub(crate) on_update: OnUpdate,
}

/// The effect of an update on a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnUpdate {
    /// The update writes the value.
    Written,
    /// The update keeps the stored value. A separate change writes the column.
    Kept,
    /// The update writes the value if it is later than the stored one.
    Latest,
}

pub(crate) trait PgTypeName {
    const NAME: &'static str;
}

impl PgTypeName for Id {
    const NAME: &'static str = "uuid";
}

impl PgTypeName for Instant {
    const NAME: &'static str = "timestamptz";
}

impl PgTypeName for Text {
    const NAME: &'static str = "text";
}

impl PgTypeName for Integer {
    const NAME: &'static str = "integer";
}

impl PgTypeName for BigInt {
    const NAME: &'static str = "bigint";
}

impl PgTypeName for Bool {
    const NAME: &'static str = "boolean";
}

impl PgTypeName for Binary {
    const NAME: &'static str = "bytea";
}

impl<T: PgTypeName + diesel::sql_types::SqlType<IsNull = diesel::sql_types::is_nullable::NotNull>> PgTypeName
    for Nullable<T>
{
    const NAME: &'static str = T::NAME;
}

pub(crate) trait Columns: Sized + Send + Sync {
    /// Returns its columns in the order of their bindings.
    fn columns() -> Vec<Column>;

    /// Binds the columns of all rows, as one array for each column.
    fn bind_all<'f>(rows: &[&'f Self], query: OnPostgres<'f>) -> OnPostgres<'f>;

    /// Binds the columns of this row.
    fn bind<'f>(&'f self, query: OnSqlite<'f>) -> OnSqlite<'f>;
}

/// Declares a row: a struct with columns of a table as fields, and the code that writes it. The schema defines the
/// column types. `= kept` and `= latest` define the effect of updates on a column ([`OnUpdate`]).
macro_rules! row {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident in $table:ident {
            $($(#[$attribute:meta])* $field_vis:vis $field:ident: $type:ty $(= $mode:ident)?,)+
        }
    ) => {
        $(#[$meta])*
        $vis struct $name { $($(#[$attribute])* $field_vis $field: $type,)+ }

        impl $crate::write::Columns for $name {
            fn columns() -> Vec<$crate::write::Column> {
                vec![$($crate::write::Column {
                    name: <$table::$field as diesel::Column>::NAME,
                    on_postgres: <diesel::dsl::SqlTypeOf<$table::$field> as $crate::write::PgTypeName>::NAME,
                    on_update: $crate::write::row!(@is $($mode)?),
                }),+]
            }

            fn bind_all<'f>(
                rows: &[&'f Self],
                query: $crate::write::OnPostgres<'f>,
            ) -> $crate::write::OnPostgres<'f> {
                $(let query = query.bind::<diesel::sql_types::Array<diesel::dsl::SqlTypeOf<$table::$field>>, _>(
                    rows.iter().map(|row| &row.$field).collect::<Vec<_>>(),
                );)+
                query
            }

            fn bind<'f>(&'f self, query: $crate::write::OnSqlite<'f>) -> $crate::write::OnSqlite<'f> {
                $(let query = query.bind::<diesel::dsl::SqlTypeOf<$table::$field>, _>(&self.$field);)+
                query
            }
        }
    };
    (@is) => { $crate::write::OnUpdate::Written };
    (@is kept) => { $crate::write::OnUpdate::Kept };
    (@is latest) => { $crate::write::OnUpdate::Latest };
}

pub(crate) use row;

pub(crate) trait WriteTexts: Columns {
    /// Returns the texts, which are built once.
    fn texts() -> &'static Texts;
}

/// The table of a row, its key and its version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) table: &'static str,
    /// Number of key columns. They are the first columns.
    pub(crate) keys: usize,
    /// The version column, which an update increments by one.
    pub(crate) version: &'static str,
    /// A condition on `deleted_at` for updates, if any.
    pub(crate) deleted_at: Option<&'static str>,
}

impl Shape {
    /// Returns the shape of a table with a key of workspace and ID, and a version.
    pub(crate) const fn of(table: &'static str) -> Self {
        Self { table, keys: 2, version: "version", deleted_at: None }
    }
}

macro_rules! write_texts {
    ($($row:ty: $shape:expr),+ $(,)?) => {
        $(impl $crate::write::WriteTexts for $row {
            fn texts() -> &'static $crate::write::Texts {
                static TEXTS: std::sync::LazyLock<$crate::write::Texts> = std::sync::LazyLock::new(|| {
                    $crate::write::Texts::of($shape, &<$row as $crate::write::Columns>::columns())
                });
                &TEXTS
            }
        })+
    };
}

pub(crate) use write_texts;

#[derive(Debug)]
pub(crate) struct Texts {
    pub(crate) insert_on_postgres: String,
    pub(crate) insert_on_sqlite: String,
    /// Updates all rows. Returns the positions of those that were found.
    pub(crate) update_on_postgres: String,
    pub(crate) update_on_sqlite: String,
}

impl Texts {
    pub(crate) fn of(shape: Shape, columns: &[Column]) -> Self {
        let Shape { table, keys, version, deleted_at } = shape;
        let names = names(columns);
        let places: Vec<_> = (1..=columns.len()).map(|place| format!("?{place}")).collect();
        let written = columns.iter().skip(keys).filter(|column| column.on_update != OnUpdate::Kept);
        let made = |it: &Column| match it.on_update {
            OnUpdate::Latest => format!("\"{0}\" = greatest(t.\"{0}\", made.\"{0}\")", it.name),
            OnUpdate::Written | OnUpdate::Kept => format!("\"{0}\" = made.\"{0}\"", it.name),
        };
        let made: Vec<_> = written.map(made).collect();
        let numbered = columns.iter().zip(1..);
        let key = |of: &str| {
            let same = columns.iter().take(keys).map(|it| format!("{of}.\"{0}\" = made.\"{0}\"", it.name));
            same.collect::<Vec<_>>().join(" AND ")
        };
        let given = numbered.clone().skip(keys).filter(|(column, _)| column.on_update != OnUpdate::Kept);
        let given = given.map(|(it, place)| match it.on_update {
            OnUpdate::Latest => {
                // In SQLite, `max` with a null argument is null.
                format!("\"{0}\" = max(coalesce(\"{0}\", ?{place}), coalesce(?{place}, \"{0}\"))", it.name)
            }
            OnUpdate::Written | OnUpdate::Kept => format!("\"{}\" = ?{place}", it.name),
        });
        let given: Vec<_> = given.collect();
        let found = numbered.clone().take(keys).map(|(it, place)| format!("\"{}\" = ?{place}", it.name));
        let found = found.collect::<Vec<_>>().join(" AND ");
        let version_place =
            numbered.clone().find(|(it, _)| it.name == version).map_or(String::new(), |(_, place)| place.to_string());
        let (read, living, living_here) = match deleted_at {
            None => (String::new(), String::new(), String::new()),
            Some(is) => {
                (", f.deleted_at".to_owned(), format!(" AND found.deleted_at {is}"), format!(" AND deleted_at {is}"))
            }
        };
        Self {
            insert_on_postgres: insert(table, columns, ""),
            insert_on_sqlite: format!("INSERT INTO {table} ({names}) VALUES ({})", places.join(", ")),
            // The row is looked up by its key, regardless of the planner's estimates, and updated in place.
            update_on_postgres: format!(
                "UPDATE {table} AS t SET {} FROM unnest({}) WITH ORDINALITY AS made ({names}, n) CROSS JOIN LATERAL \
                 (SELECT f.ctid, f.\"{version}\"{read} FROM {table} f WHERE {} LIMIT 1 FOR NO KEY UPDATE) AS found \
                 WHERE t.ctid = found.ctid AND found.\"{version}\" = made.\"{version}\" - 1{living} RETURNING made.n",
                made.join(", "),
                arrays(columns),
                key("f"),
            ),
            // The statement uses the last parameter even if its column is kept.
            update_on_sqlite: format!(
                "UPDATE {table} SET {} WHERE {found} AND \"{version}\" = ?{version_place} - 1{living_here} \
                 AND ?{last} IS ?{last}",
                given.join(", "),
                last = columns.len(),
            ),
        }
    }
}

/// Returns the list of column names.
pub(crate) fn names(columns: &[Column]) -> String {
    columns.iter().map(|it| format!("\"{}\"", it.name)).collect::<Vec<_>>().join(", ")
}

/// Returns `(SELECT $1::uuid[]), (SELECT $2::text[])` and so on. PostgreSQL does not know the values of subqueries
/// during planning. Otherwise it would plan each call again, because a plan for the few actual rows looks cheaper than
/// the generic plan for ten rows.
pub(crate) fn arrays(columns: &[Column]) -> String {
    let arrays = columns.iter().zip(1..).map(|(it, place)| format!("(SELECT ${place}::{}[])", it.on_postgres));
    arrays.collect::<Vec<_>>().join(", ")
}

/// Returns the text that inserts rows with these columns on PostgreSQL, followed by `then`.
pub(crate) fn insert(table: &str, columns: &[Column], then: &str) -> String {
    format!("INSERT INTO {table} ({}) SELECT * FROM unnest({}) {then}", names(columns), arrays(columns))
}

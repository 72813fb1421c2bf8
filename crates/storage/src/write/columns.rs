//! What a row is written by: its declaration gives struct, columns and the statements.

use diesel::pg::Pg;
use diesel::query_builder::{BoxedSqlQuery, SqlQuery};
use diesel::sql_types::{BigInt, Binary, Bool, Integer, Nullable, Text};
use diesel::sqlite::Sqlite;

use crate::types::{Id, Instant};

/// A statement of PostgreSQL with the values that it is given so far.
pub(crate) type OnPostgres<'f> = BoxedSqlQuery<'f, Pg, SqlQuery>;
/// A statement of SQLite with the values that it is given so far.
pub(crate) type OnSqlite<'f> = BoxedSqlQuery<'f, Sqlite, SqlQuery>;

/// A column of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    /// What its type is called in PostgreSQL.
    pub(crate) on_postgres: &'static str,
    pub(crate) on_update: OnUpdate,
}

/// What an update does to a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnUpdate {
    /// It writes the value.
    Written,
    /// It leaves it as it is: a change of its own writes it.
    Kept,
    /// It moves it forward to the value, never back.
    Latest,
}

/// What a type is called in PostgreSQL.
pub(crate) trait Named {
    const NAME: &'static str;
}

macro_rules! named {
    ($($type:ty = $name:literal),+ $(,)?) => { $(impl Named for $type { const NAME: &'static str = $name; })+ };
}

named! {
    Id = "uuid", Instant = "timestamptz", Text = "text", Integer = "integer", BigInt = "bigint", Bool = "boolean",
    Binary = "bytea",
}

impl<T: Named + diesel::sql_types::SqlType<IsNull = diesel::sql_types::is_nullable::NotNull>> Named for Nullable<T> {
    const NAME: &'static str = T::NAME;
}

/// A row, by its columns.
pub(crate) trait Columns: Sized + Send + Sync {
    /// Its columns, in the order in which they are bound.
    fn columns() -> Vec<Column>;

    /// Gives a statement the columns of all rows, an array each.
    fn bind_all<'f>(rows: &[&'f Self], query: OnPostgres<'f>) -> OnPostgres<'f>;

    /// Gives a statement the columns of this row.
    fn bind<'f>(&'f self, query: OnSqlite<'f>) -> OnSqlite<'f>;
}

/// Declares a row: a struct whose fields are columns of a table, with what writes it. The types of the columns are those
/// of the schema; `= kept` and `= latest` say what updates do to a column ([`OnUpdate`]).
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
                    on_postgres: <diesel::dsl::SqlTypeOf<$table::$field> as $crate::write::Named>::NAME,
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

/// A row with the texts of the statements that write it.
pub(crate) trait Written: Columns {
    /// The texts; made once.
    fn texts() -> &'static Texts;
}

/// How the rows of a table are found and written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) table: &'static str,
    /// The first so many columns are its key.
    pub(crate) keys: usize,
    /// The column that an update raises by one.
    pub(crate) version: &'static str,
    /// What must hold of `deleted_at` where an update finds it, if anything.
    pub(crate) deleted_at: Option<&'static str>,
}

impl Shape {
    /// A table with a key of workspace and id, and a version.
    pub(crate) const fn of(table: &'static str) -> Self {
        Self { table, keys: 2, version: "version", deleted_at: None }
    }
}

/// Gives a row the texts of its statements.
macro_rules! written {
    ($($row:ty: $shape:expr),+ $(,)?) => {
        $(impl $crate::write::Written for $row {
            fn texts() -> &'static $crate::write::Texts {
                static TEXTS: std::sync::LazyLock<$crate::write::Texts> = std::sync::LazyLock::new(|| {
                    $crate::write::Texts::of($shape, &<$row as $crate::write::Columns>::columns())
                });
                &TEXTS
            }
        })+
    };
}

pub(crate) use written;

/// The statements that write a row.
#[derive(Debug)]
pub(crate) struct Texts {
    /// The statement for all rows at once.
    pub(crate) insert_on_postgres: String,
    /// The statement for one row.
    pub(crate) insert_on_sqlite: String,
    /// All rows at once; gives the places of those that were there.
    pub(crate) update_on_postgres: String,
    /// One.
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
                // The greatest of some values is nothing there if one of them is.
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
            // The row is looked up by its key, whatever the planner believes of the table, and changed where it stands.
            update_on_postgres: format!(
                "UPDATE {table} AS t SET {} FROM unnest({}) WITH ORDINALITY AS made ({names}, n) CROSS JOIN LATERAL \
                 (SELECT f.ctid, f.\"{version}\"{read} FROM {table} f WHERE {} LIMIT 1 FOR NO KEY UPDATE) AS found \
                 WHERE t.ctid = found.ctid AND found.\"{version}\" = made.\"{version}\" - 1{living} RETURNING made.n",
                made.join(", "),
                arrays(columns),
                key("f"),
            ),
            // It names the last place, too, where that is of a column that is kept.
            update_on_sqlite: format!(
                "UPDATE {table} SET {} WHERE {found} AND \"{version}\" = ?{version_place} - 1{living_here} \
                 AND ?{last} IS ?{last}",
                given.join(", "),
                last = columns.len(),
            ),
        }
    }
}

/// The columns' names.
pub(crate) fn names(columns: &[Column]) -> String {
    columns.iter().map(|it| format!("\"{}\"", it.name)).collect::<Vec<_>>().join(", ")
}

/// `(SELECT $1::uuid[]), (SELECT $2::text[])` and so on: subqueries, of which PostgreSQL knows the values no sooner than it
/// runs them. It would plan anew for each call otherwise, as it finds the plan for the few rows that it sees cheaper than
/// that for the ten that it expects of any array.
pub(crate) fn arrays(columns: &[Column]) -> String {
    let arrays = columns.iter().zip(1..).map(|(it, place)| format!("(SELECT ${place}::{}[])", it.on_postgres));
    arrays.collect::<Vec<_>>().join(", ")
}

/// The text that inserts rows with these columns on PostgreSQL; `then` follows it.
pub(crate) fn insert(table: &str, columns: &[Column], then: &str) -> String {
    format!("INSERT INTO {table} ({}) SELECT * FROM unnest({}) {then}", names(columns), arrays(columns))
}

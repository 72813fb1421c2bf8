//! Statements derived from the declarations of simple objects. Their queries are in the files of their tables.

use diesel::prelude::*;
use tidings_domain::access::storage_usage::StoredBytes;
use tidings_domain::for_each_stored;
use tidings_domain::stored::{StoredId, StoredKind, StoredObject};

use super::locked_version::{RowLock, locked_version};
use crate::connection::faults::Fault;
use crate::connection::{Connection, find};
use crate::queries::types::DbId;
use crate::write::WriteTexts;

/// A simple object with its own table.
pub(crate) trait Tabled: StoredObject {
    type Row: WriteTexts;

    fn row(workspace: DbId, it: &Self) -> Result<Self::Row, Fault>;
}

/// A table with measured text: its name, its measured columns, and the category of the sum.
pub(crate) struct MeasuredTable {
    pub(crate) table: &'static str,
    pub(crate) columns: &'static [&'static str],
    pub(crate) counted: fn(i64) -> StoredBytes,
}

macro_rules! statements {
    ([] [$(
        $(#[$doc:meta])*
        $name:ident in $module:ident {
            id: $id:ident = $prefix:literal, table: $table:ident, hint: $word:literal $audience:ident,
            limit: $limit:literal $counted:literal, unique: $unique:tt, audit: $audit:tt,
            text: $text:tt beside $beside:tt, bytes: [$($portion:ident: $($field:ident),+)?], $($rest:tt)*
        }
    )*]) => {
        /// The tables of simple objects whose text counts.
        pub(crate) const MEASURED: &[MeasuredTable] = &[$($(MeasuredTable {
            table: stringify!($table),
            columns: &[$(stringify!($field)),+],
            counted: |$portion| StoredBytes { $portion, ..StoredBytes::default() },
        },)?)*];

        /// Counts the objects of a kind in a workspace.
        pub(crate) async fn count(c: &mut Connection<'_>, ws: DbId, kind: StoredKind) -> Result<i64, Fault> {
            let found: Option<i64> = match kind {
                $(StoredKind::$name => {
                    use crate::schema::$table as own;
                    find!(c, own::table.filter(own::workspace_id.eq(ws)).count())
                })*
            }?;
            Ok(found.unwrap_or(0))
        }

        /// Returns the name of an object.
        pub(crate) async fn name(c: &mut Connection<'_>, ws: DbId, id: StoredId) -> Result<Option<String>, Fault> {
            match id {
                $(StoredId::$name(id) => {
                    use crate::schema::$table as own;
                    find!(c, own::table.find((ws, DbId::from(id))).select(own::name))
                })*
            }
        }

        /// Locks the row of a simple object. Returns its version.
        pub(super) async fn stored_version(
            c: &mut Connection<'_>,
            ws: DbId,
            id: StoredId,
            hold: RowLock,
        ) -> Result<i64, Fault> {
            match id {
                $(StoredId::$name(id) => {
                    use crate::schema::$table as own;
                    locked_version!(c, hold, own::version, own::table.find((ws, DbId::from(id))))
                })*
            }
        }
    };
}

for_each_stored!(statements {});

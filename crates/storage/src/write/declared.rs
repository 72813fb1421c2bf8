//! Statements derived from the declarations of simple objects. Their queries are in the files of their tables.

use diesel::prelude::*;
use tidings_domain::for_each_stored;
use tidings_domain::stored::{StoredId, StoredKind, StoredObject};

use crate::connection::faults::Fault;
use crate::connection::{Connection, find};
use crate::queries::types::DbId;
use crate::write::WriteTexts;

/// A simple object with its own table.
pub(crate) trait Tabled: StoredObject {
    type Row: WriteTexts;

    fn row(workspace: DbId, it: &Self) -> Result<Self::Row, Fault>;
}

macro_rules! statements {
    ([] [$(
        $(#[$doc:meta])*
        $name:ident in $module:ident { id: $id:ident = $prefix:literal, table: $table:ident, $($rest:tt)* }
    )*]) => {
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
    };
}

for_each_stored!(statements {});

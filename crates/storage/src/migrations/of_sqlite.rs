//! Migrations of a SQLite file.

use std::collections::HashSet;

use diesel::Connection as _;
use diesel::connection::SimpleConnection;
use diesel::migration::{Migration, MigrationSource};
use diesel::result::Error;
use diesel::sqlite::{Sqlite, SqliteConnection};
use diesel_migrations::MigrationHarness;

use super::texts::Tree;
use super::{SQLITE, baseline};
use crate::connection::error::StorageError;

/// Applies the pending migrations of a tree, each in one transaction, and returns their number.
///
/// # Errors
/// [`StorageError`]; migrations before the failing one stay applied.
pub(super) fn apply(connection: &mut SqliteConnection, tree: &Tree) -> Result<usize, StorageError> {
    let migrations: Vec<Box<dyn Migration<Sqlite>>> = SQLITE.migrations().map_err(failed)?;
    let pending = baseline::pending(tree, &applied(connection)?)?;
    for name in &pending {
        match migrations.iter().find(|it| it.name().to_string() == *name) {
            Some(migration) => {
                connection.run_migration(&**migration).map_err(failed)?;
            }
            None => {
                let text = baseline::text_of(tree, name).ok_or_else(|| failed(format!("{name} has no SQL")))?;
                let recorded = baseline::record(name);
                let apply = |c: &mut SqliteConnection| c.batch_execute(text).and_then(|()| c.batch_execute(&recorded));
                connection.transaction::<_, Error, _>(apply).map_err(failed)?;
            }
        }
    }
    if baseline::is_unrecorded(&applied(connection)?) {
        connection.batch_execute(&baseline::record(baseline::NAME)).map_err(failed)?;
    }
    Ok(pending.len())
}

fn applied(connection: &mut SqliteConnection) -> Result<HashSet<String>, StorageError> {
    let versions = connection.applied_migrations().map_err(failed)?;
    Ok(versions.iter().map(ToString::to_string).collect())
}

fn failed(error: impl ToString) -> StorageError {
    StorageError::Migration(error.to_string())
}

//! The baseline: the schema that release 0.5.0 begins with, as one text. It replaces the migrations before it.
//!
//! An empty database runs the baseline and the migrations after it. A database of release 0.5.0 has the baseline, or the
//! migrations that it replaces; then it gets the baseline recorded. An older database is rejected.

use std::collections::HashSet;

use super::texts::{Tree, version};
use crate::connection::error::StorageError;

/// The recorded name of the baseline. It sorts after the names of the migrations that it replaces.
pub(crate) const NAME: &str = "2026-12-29-000000_baseline";
/// The migrations of release 0.5.0 that complete the schema of the baseline: the after-rollout migration, which an
/// upgrade applies at the end, and the last other one.
const COMPLETED_BY: [&str; 2] =
    ["2026-11-23-009000_indexes_after_rollout", "2026-12-28-006000_importers_and_clock_changes"];

/// Returns the names of the migrations that a database with these applied versions still needs, in order.
///
/// # Errors
/// [`StorageError::TooOld`] if the database does not have the schema of the baseline.
pub(crate) fn pending(tree: &Tree, applied: &HashSet<String>) -> Result<Vec<&'static str>, StorageError> {
    let names = tree.migrations.iter().map(|(name, _)| *name);
    if applied.is_empty() {
        return Ok([NAME].into_iter().chain(names).collect());
    }
    if !has_schema(applied) {
        return Err(StorageError::TooOld);
    }
    Ok(names.filter(|name| !applied.contains(&version(name))).collect())
}

pub(super) fn text_of(tree: &Tree, name: &str) -> Option<&'static str> {
    match name == NAME {
        true => Some(tree.baseline),
        false => tree.migrations.iter().find(|(of, _)| *of == name).map(|(_, text)| *text),
    }
}

/// Returns true if a database has the schema of the baseline by the migrations that it replaces, without its record.
pub(super) fn is_unrecorded(applied: &HashSet<String>) -> bool {
    has_schema(applied) && !applied.contains(&version(NAME))
}

/// Returns the statement that records a migration as applied.
pub(super) fn record(name: &str) -> String {
    format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{}')", version(name))
}

/// Returns true if this release knows an applied version. A later release has others.
pub(crate) fn is_known(tree: &Tree, applied: &str) -> bool {
    applied <= version(NAME).as_str() || tree.migrations.iter().any(|(name, _)| version(name) == applied)
}

/// Returns true if a database has the whole schema of the baseline.
fn has_schema(applied: &HashSet<String>) -> bool {
    let is_applied = |name: &str| applied.contains(&version(name));
    is_applied(NAME) || COMPLETED_BY.iter().all(|name| is_applied(name))
}

#[cfg(test)]
mod tests;

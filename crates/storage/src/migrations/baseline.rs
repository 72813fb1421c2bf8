//! The baseline: the schema of release 0.5.0 as one text, which replaces all migrations before it.
//!
//! An empty database runs the baseline. A database with earlier migrations continues with these. At the end both have
//! the same record of applied migrations. When the earlier migrations are removed from the tree, a database that has
//! all of them gets the baseline recorded, and an older one is rejected.

use std::collections::HashSet;

use super::texts::{Tree, version};
use crate::connection::error::StorageError;

/// The recorded name of the baseline. It sorts after the names of the migrations that it replaces.
pub(crate) const NAME: &str = "2026-12-29-000000_baseline";
/// Migrations that complete the schema of the baseline: the after-rollout migration, which an upgrade applies at the
/// end, and the last other one.
const COMPLETED_BY: [&str; 2] =
    ["2026-11-23-009000_indexes_after_rollout", "2026-12-28-006000_importers_and_clock_changes"];

/// Returns the names of the migrations that a database with these applied versions still needs, in order.
///
/// # Errors
/// [`StorageError::TooOld`] if this program no longer has the migrations that the database needs.
pub(crate) fn pending(tree: &Tree, applied: &HashSet<String>) -> Result<Vec<&'static str>, StorageError> {
    let names = tree.migrations.iter().map(|(name, _)| *name);
    let later = names.clone().filter(|name| !is_replaced(name));
    if applied.is_empty() {
        return Ok([NAME].into_iter().chain(later).collect());
    }
    let is_pending = |name: &&str| !applied.contains(&version(name));
    let later = later.filter(is_pending);
    if has_schema(tree, applied) {
        return Ok(later.collect());
    }
    let replaced: Vec<_> = names.filter(|name| is_replaced(name)).filter(is_pending).collect();
    if replaced.is_empty() {
        return Err(StorageError::TooOld);
    }
    Ok(replaced.into_iter().chain(later).collect())
}

pub(super) fn text_of(tree: &Tree, name: &str) -> Option<&'static str> {
    match name == NAME {
        true => Some(tree.baseline),
        false => tree.migrations.iter().find(|(of, _)| *of == name).map(|(_, text)| *text),
    }
}

/// Returns the versions that the record of a database with the schema of the baseline lacks: the baseline's own
/// version, and the versions of the migrations that it replaces.
pub(super) fn unrecorded(tree: &Tree, applied: &HashSet<String>) -> Vec<String> {
    if !has_schema(tree, applied) {
        return Vec::new();
    }
    let replaced = tree.migrations.iter().map(|(name, _)| *name).filter(|name| is_replaced(name));
    replaced.chain([NAME]).map(version).filter(|version| !applied.contains(version)).collect()
}

pub(super) fn record(versions: &[String]) -> String {
    let rows: Vec<String> = versions.iter().map(|version| format!("('{version}')")).collect();
    format!("INSERT INTO __diesel_schema_migrations (version) VALUES {}", rows.join(", "))
}

/// Returns true if this release knows an applied version. A later release has others.
pub(crate) fn is_known(tree: &Tree, applied: &str) -> bool {
    applied <= version(NAME).as_str() || tree.migrations.iter().any(|(name, _)| version(name) == applied)
}

fn is_replaced(name: &str) -> bool {
    name < NAME
}

/// Returns true if a database has the whole schema of the baseline.
fn has_schema(tree: &Tree, applied: &HashSet<String>) -> bool {
    let is_applied = |name: &str| applied.contains(&version(name));
    let mut replaced = tree.migrations.iter().map(|(name, _)| *name).filter(|name| is_replaced(name));
    is_applied(NAME) || COMPLETED_BY.iter().all(|name| is_applied(name)) && replaced.all(is_applied)
}

#[cfg(test)]
mod tests;

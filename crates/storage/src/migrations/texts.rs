//! The texts of the migrations of both databases.

include!(concat!(env!("OUT_DIR"), "/migration_texts.rs"));

/// The migrations of a database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tree {
    /// Migrations in their order: name and text.
    pub(crate) migrations: &'static [(&'static str, &'static str)],
    pub(super) baseline: &'static str,
}

/// The suffix of a migration that removes structures of the earlier release. It can wait until no process of that
/// release is running.
const AFTER_ROLLOUT: &str = "_after_rollout";

pub(super) fn is_after_rollout(name: &str) -> bool {
    name.ends_with(AFTER_ROLLOUT)
}

/// Returns the version of a migration, as Diesel writes it.
pub(crate) fn version(name: &str) -> String {
    name.split('_').next().unwrap_or(name).replace('-', "")
}

/// Returns the steps of a migration, which are separated by empty lines. Each is a transaction and can be repeated. A
/// block with only comments is not a step.
pub(super) fn steps(text: &str) -> impl Iterator<Item = &str> {
    let is_statement = |line: &str| !line.is_empty() && !line.starts_with("--");
    text.split("\n\n").filter(move |step| step.lines().any(is_statement))
}

pub(super) fn without_comments(text: &str) -> String {
    let is_statement = |line: &&str| !line.is_empty() && !line.trim_start().starts_with("--");
    text.lines().filter(is_statement).collect::<Vec<_>>().join("\n")
}

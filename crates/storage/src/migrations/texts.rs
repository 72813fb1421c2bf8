//! The texts of the migrations of both databases.

include!(concat!(env!("OUT_DIR"), "/migration_texts.rs"));

/// The migrations of a database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tree {
    /// Migrations in their order: name and text.
    pub(crate) migrations: &'static [(&'static str, &'static str)],
    /// The text of the baseline.
    pub(super) baseline: &'static str,
}

/// How the name of a migration ends that takes away what only the release before goes by: it may wait until no process of
/// that release is left.
const AFTER_ROLLOUT: &str = "_after_rollout";

pub(super) fn is_after_rollout(name: &str) -> bool {
    name.ends_with(AFTER_ROLLOUT)
}

/// The version of a migration, as Diesel writes it.
pub(crate) fn version(name: &str) -> String {
    name.split('_').next().unwrap_or(name).replace('-', "")
}

/// The steps of a text that is applied in no transaction: they stand apart by empty lines, and each is a transaction of its
/// own that may be done once more. What is a comment and nothing else is no step.
pub(super) fn steps(text: &str) -> impl Iterator<Item = &str> {
    let is_statement = |line: &str| !line.is_empty() && !line.starts_with("--");
    text.split("\n\n").filter(move |step| step.lines().any(is_statement))
}

/// The statements of a text, without lines that are comments.
pub(super) fn without_comments(text: &str) -> String {
    let is_statement = |line: &&str| !line.is_empty() && !line.trim_start().starts_with("--");
    text.lines().filter(is_statement).collect::<Vec<_>>().join("\n")
}

//! The header of a migration of PostgreSQL: its locks, and its effect on clients that write while it runs. A test
//! compares the headers with the locks that PostgreSQL reports.
//!
//! ```text
//! -- Locks: ACCESS EXCLUSIVE of contacts, tags
//! -- Locks: SHARE UPDATE EXCLUSIVE of contacts
//! -- Writers: wait_shortly
//! -- Rewrites: tags
//! ```

use serde::Serialize;

/// The effect on clients that write into a table while a migration runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Writers {
    /// Writers do not wait.
    GoOn,
    /// Writers of the same rows wait until the step ends. Other writers do not wait.
    WaitForRows,
    /// Writers wait for a moment: a step locks the table, but reads none of its rows.
    WaitShortly,
    /// Writers wait while a step reads the table.
    Wait,
    /// The migration has no header.
    Unknown,
}

/// A lock of a table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct TableLock {
    /// Its name in PostgreSQL, such as `ACCESS EXCLUSIVE`.
    pub mode: String,
    /// Its table.
    pub table: String,
}

/// The effect of a migration on clients that use the database while it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Effect {
    /// The locks of existing tables, without the locks of readers. Each is held until its step ends.
    pub locks: Vec<TableLock>,
    /// The effect on writers.
    pub writers: Writers,
    /// The tables with rows that are written again.
    pub rewrites: Vec<String>,
}

const LOCKS: &str = "-- Locks: ";
const WRITERS: &str = "-- Writers: ";
const REWRITES: &str = "-- Rewrites: ";

impl Effect {
    /// The effect of a migration that no client can notice.
    pub(super) const NOTHING: Self = Self { locks: Vec::new(), writers: Writers::GoOn, rewrites: Vec::new() };

    pub(super) fn read(text: &str) -> Self {
        let mut effect = Self { writers: Writers::Unknown, ..Self::NOTHING };
        for line in text.lines().take_while(|line| line.starts_with("--")) {
            if let Some((mode, tables)) = line.strip_prefix(LOCKS).and_then(|locks| locks.split_once(" of ")) {
                let lock = |table| TableLock { mode: mode.to_owned(), table };
                effect.locks.extend(names(tables).map(lock));
            } else if let Some(writers) = line.strip_prefix(WRITERS) {
                effect.writers = Writers::named(writers);
            } else if let Some(tables) = line.strip_prefix(REWRITES) {
                effect.rewrites.extend(names(tables));
            }
        }
        effect
    }
}

impl Writers {
    fn named(name: &str) -> Self {
        match name {
            "go_on" => Self::GoOn,
            "wait_for_rows" => Self::WaitForRows,
            "wait_shortly" => Self::WaitShortly,
            "wait" => Self::Wait,
            _unknown => Self::Unknown,
        }
    }
}

fn names(tables: &str) -> impl Iterator<Item = String> {
    tables.split(", ").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(mode: &str, table: &str) -> TableLock {
        TableLock { mode: mode.to_owned(), table: table.to_owned() }
    }

    #[test]
    fn reads_locks_writers_and_rewrites() {
        let text = "-- Locks: ACCESS EXCLUSIVE of a, b\n-- Locks: ROW EXCLUSIVE of a\n-- Writers: wait\n-- Rewrites: a\n\
                    --\n-- Why.\n\nALTER TABLE a ADD COLUMN c text;\n-- Writers: go_on\n";
        let locks = vec![lock("ACCESS EXCLUSIVE", "a"), lock("ACCESS EXCLUSIVE", "b"), lock("ROW EXCLUSIVE", "a")];
        assert_eq!(Effect::read(text), Effect { locks, writers: Writers::Wait, rewrites: vec!["a".to_owned()] });
    }

    #[test]
    fn reads_a_header_without_locks() {
        let text = "-- Locks: none\n-- Writers: go_on\n\nCREATE TABLE a (b text);\n";
        assert_eq!(Effect::read(text), Effect::NOTHING);
    }

    #[test]
    fn reports_a_missing_header_as_unknown() {
        assert_eq!(Effect::read("-- Why.\nALTER TABLE a ADD COLUMN c text;\n").writers, Writers::Unknown);
    }
}

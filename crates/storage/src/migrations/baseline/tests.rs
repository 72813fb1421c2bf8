//! The migrations that a database needs, depending on its applied versions.

use std::collections::HashSet;

use super::*;
use crate::migrations::texts::{POSTGRES, SQLITE, is_after_rollout};

fn versions<'a>(names: impl IntoIterator<Item = &'a str>) -> HashSet<String> {
    names.into_iter().map(version).collect()
}

/// A tree with two earlier migrations and a later one.
const BOTH: Tree =
    Tree { migrations: &[(COMPLETED_BY[0], ""), (COMPLETED_BY[1], ""), ("2026-12-30-001000_later", "")], baseline: "" };
/// The same tree, after the earlier migrations were removed.
const REDUCED: Tree = Tree { migrations: &[("2026-12-30-001000_later", "")], baseline: "" };

#[test]
fn both_trees_end_with_the_migrations_that_complete_the_baseline() {
    for tree in [POSTGRES, SQLITE] {
        let replaced: Vec<&str> = tree.migrations.iter().map(|(name, _)| *name).filter(|it| is_replaced(it)).collect();
        assert_eq!(replaced.last(), Some(&COMPLETED_BY[1]));
        let left: Vec<&str> = replaced.iter().copied().filter(|name| is_after_rollout(name)).collect();
        assert_eq!(left, &COMPLETED_BY[..1]);
    }
}

#[test]
fn an_empty_database_runs_the_baseline_and_later_migrations() {
    for tree in [BOTH, REDUCED] {
        assert_eq!(pending(&tree, &HashSet::new()), Ok(vec![NAME, "2026-12-30-001000_later"]));
        assert_eq!(unrecorded(&tree, &HashSet::new()), Vec::<String>::new());
    }
}

#[test]
fn the_baseline_counts_as_all_migrations_that_it_replaces() {
    let applied = versions([NAME]);
    assert_eq!(pending(&BOTH, &applied), Ok(vec!["2026-12-30-001000_later"]));
    assert_eq!(unrecorded(&BOTH, &applied), COMPLETED_BY.map(version));
    assert_eq!(unrecorded(&REDUCED, &applied), Vec::<String>::new());
}

#[test]
fn a_database_with_earlier_migrations_continues_with_them() {
    let applied = versions([COMPLETED_BY[1]]);
    assert_eq!(pending(&BOTH, &applied), Ok(vec![COMPLETED_BY[0], "2026-12-30-001000_later"]));
    assert_eq!(unrecorded(&BOTH, &applied), Vec::<String>::new());
}

#[test]
fn a_database_with_all_earlier_migrations_gets_the_baseline_recorded() {
    let applied = versions(COMPLETED_BY);
    for tree in [BOTH, REDUCED] {
        assert_eq!(pending(&tree, &applied), Ok(vec!["2026-12-30-001000_later"]));
        assert_eq!(unrecorded(&tree, &applied), [version(NAME)]);
    }
}

#[test]
fn an_older_database_is_rejected_when_its_migrations_are_removed() {
    for applied in [vec![COMPLETED_BY[0]], vec![COMPLETED_BY[1]], vec!["2026-11-22-006000_write_probe"]] {
        assert_eq!(pending(&REDUCED, &versions(applied)), Err(StorageError::TooOld));
    }
    assert!(StorageError::TooOld.to_string().contains("`tidings migrate` of release 0.5.0"));
}

#[test]
fn only_versions_of_a_later_release_are_unknown() {
    for tree in [BOTH, REDUCED] {
        assert!(["20261121000000", "20261229000000", "20261230001000"].iter().all(|it| is_known(&tree, it)));
        assert!(!is_known(&tree, "20270101000000"));
    }
}

//! The migrations that a database needs, depending on its applied versions.

use std::collections::HashSet;

use super::*;
use crate::migrations::texts::{POSTGRES, SQLITE};

fn versions<'a>(names: impl IntoIterator<Item = &'a str>) -> HashSet<String> {
    names.into_iter().map(version).collect()
}

const LATER: &str = "2026-12-30-001000_later";
const TREE: Tree = Tree { migrations: &[(LATER, "")], baseline: "" };

#[test]
fn both_trees_contain_only_migrations_after_the_baseline() {
    for tree in [POSTGRES, SQLITE] {
        assert!(!tree.baseline.is_empty());
        assert!(tree.migrations.iter().all(|(name, _)| *name > NAME));
    }
}

#[test]
fn an_empty_database_runs_the_baseline_and_later_migrations() {
    assert_eq!(pending(&TREE, &HashSet::new()), Ok(vec![NAME, LATER]));
    assert!(!is_unrecorded(&HashSet::new()));
}

#[test]
fn a_database_with_the_baseline_runs_later_migrations() {
    let applied = versions([NAME]);
    assert_eq!(pending(&TREE, &applied), Ok(vec![LATER]));
    assert!(!is_unrecorded(&applied));
    assert_eq!(pending(&TREE, &versions([NAME, LATER])), Ok(Vec::new()));
}

#[test]
fn a_database_with_all_replaced_migrations_gets_the_baseline_recorded() {
    let applied = versions(COMPLETED_BY);
    assert_eq!(pending(&TREE, &applied), Ok(vec![LATER]));
    assert!(is_unrecorded(&applied));
    let recorded = versions(COMPLETED_BY.into_iter().chain([NAME, LATER]));
    assert_eq!(pending(&TREE, &recorded), Ok(Vec::new()));
    assert!(!is_unrecorded(&recorded));
}

#[test]
fn an_older_database_is_rejected() {
    for applied in [vec![COMPLETED_BY[0]], vec![COMPLETED_BY[1]], vec!["2026-11-22-006000_write_probe"]] {
        let applied = versions(applied);
        assert_eq!(pending(&TREE, &applied), Err(StorageError::TooOld));
        assert!(!is_unrecorded(&applied));
    }
    // An upgrade to 0.5.0 without its last step.
    assert_eq!(pending(&TREE, &versions([COMPLETED_BY[1], LATER])), Err(StorageError::TooOld));
    let why = StorageError::TooOld.to_string();
    assert!(["Install release 0.5.0", "`tidings migrate`"].iter().all(|step| why.contains(step)), "{why}");
}

#[test]
fn only_versions_of_a_later_release_are_unknown() {
    assert!(["20261121000000", "20261229000000", "20261230001000"].iter().all(|it| is_known(&TREE, it)));
    assert!(!is_known(&TREE, "20270101000000"));
}

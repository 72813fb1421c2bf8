//! What `migrate` would do, told before it is done.

use std::collections::HashSet;

use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use serde::Serialize;

use super::effects::{Along, Effect, Writers};
use super::statements::statements;
use super::{POSTGRES, baseline, texts};

/// The migrations that are still to be applied, with what each statement does to those who write meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MigrationPlan {
    /// `postgresql` or `sqlite`.
    pub database: &'static str,
    /// In the order in which they are applied.
    pub migrations: Vec<PlannedMigration>,
}

/// A migration that is still to be applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedMigration {
    /// Its name.
    pub name: String,
    /// Whether it may wait until no process of the release before is left.
    pub after_rollout: bool,
    /// Each is a transaction of its own: what its statements lock stays locked until it ends.
    pub steps: Vec<PlannedStep>,
}

/// What is done in one transaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedStep {
    /// In their order.
    pub statements: Vec<PlannedStatement>,
}

/// A statement, and what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedStatement {
    /// As it stands in the migration, without comments.
    pub sql: String,
    /// What it does to others.
    #[serde(flatten)]
    pub effect: Effect,
}

/// SQLite knows one lock for all.
const WHOLE_FILE: Effect = Effect {
    locks: Vec::new(),
    writers: Writers::Wait,
    rewrites: None,
    note: "other writers wait until the migration ends, because it locks the whole file",
};

impl MigrationPlan {
    /// What would be done in a SQLite file.
    pub(super) fn of_sqlite(pending: &[&str]) -> Self {
        let planned = |name: &&str| {
            let text = baseline::text_of(&texts::SQLITE, name).unwrap_or_default();
            let statements = statements(text).into_iter().map(|sql| PlannedStatement { sql, effect: WHOLE_FILE });
            let steps = vec![PlannedStep { statements: statements.collect() }];
            PlannedMigration { name: (*name).to_owned(), after_rollout: false, steps }
        };
        Self { database: "sqlite", migrations: pending.iter().map(planned).collect() }
    }

    /// What would be done on PostgreSQL. In a new database every table is made by the plan: there is nobody who could wait.
    pub(super) fn of_postgres(pending: &[&str], is_done: impl Fn(&str, usize) -> bool) -> Self {
        let (mut along, mut migrations) = (Along::default(), Vec::new());
        let in_steps = in_steps();
        let is_new = pending.contains(&baseline::NAME);
        let all: Vec<&str> = match is_new {
            true => pending.to_vec(),
            false => texts::POSTGRES.migrations.iter().map(|(name, _)| *name).collect(),
        };
        for name in all {
            if !is_new {
                along.begin();
            }
            let text = baseline::text_of(&texts::POSTGRES, name).unwrap_or_default();
            let steps: Vec<&str> = match in_steps.contains(name) {
                true => texts::steps(text).collect(),
                false => vec![text],
            };
            let (mut planned, is_pending) = (Vec::new(), pending.contains(&name));
            for (number, step) in steps.into_iter().enumerate() {
                let statements = statements(step);
                if is_pending && !is_done(name, number) {
                    let meet = |sql: String| PlannedStatement { effect: along.meet(&sql), sql };
                    planned.push(PlannedStep { statements: statements.into_iter().map(meet).collect() });
                } else {
                    statements.iter().for_each(|sql| along.pass(sql));
                }
            }
            if is_pending {
                let after_rollout = texts::is_after_rollout(name);
                migrations.push(PlannedMigration { name: name.to_owned(), after_rollout, steps: planned });
            }
        }
        Self { database: "postgresql", migrations }
    }
}

/// The names of the migrations that are not one transaction as a whole.
fn in_steps() -> HashSet<String> {
    let embedded: Vec<Box<dyn Migration<Pg>>> = POSTGRES.migrations().unwrap_or_default();
    let in_steps = embedded.into_iter().filter(|it| !it.metadata().run_in_transaction());
    in_steps.map(|it| it.name().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a statement begins that may be run once more.
    const AGAIN: [&str; 12] = [
        "CREATE TABLE IF NOT EXISTS",
        "CREATE INDEX IF NOT EXISTS",
        "CREATE INDEX CONCURRENTLY",
        "CREATE UNIQUE INDEX CONCURRENTLY",
        "CREATE OR REPLACE",
        "DROP INDEX IF EXISTS",
        "DROP INDEX CONCURRENTLY IF EXISTS",
        "DROP TRIGGER IF EXISTS",
        "DROP FUNCTION IF EXISTS",
        // Changes only rows that it has not changed.
        "UPDATE broadcast_recipients AS r SET",
        // Only behind the index that it replaces, in the same step.
        "ALTER INDEX",
        "INSERT INTO",
    ];

    fn whole(plan: MigrationPlan) -> impl Iterator<Item = (String, PlannedStatement)> {
        plan.migrations.into_iter().flat_map(|migration| {
            let PlannedMigration { name, steps, .. } = migration;
            steps.into_iter().flat_map(|it| it.statements).map(move |it| (name.clone(), it))
        })
    }

    fn new_postgres() -> MigrationPlan {
        MigrationPlan::of_postgres(&baseline::pending(&texts::POSTGRES, &HashSet::new()).unwrap(), |_, _| false)
    }

    fn all(tree: &texts::Tree) -> Vec<&'static str> {
        tree.migrations.iter().map(|(name, _)| *name).collect()
    }

    #[test]
    fn what_each_statement_of_every_migration_does_is_known() {
        let all: Vec<_> = whole(MigrationPlan::of_postgres(&all(&texts::POSTGRES), |_, _| false)).collect();
        assert!(all.len() > 200, "{}", all.len());
        for (migration, PlannedStatement { sql, effect }) in all {
            assert_ne!(effect.writers, Writers::Unknown, "{migration}: effects.rs has no kind for: {sql}");
        }
    }

    /// In a database in which all earlier ones were applied long ago.
    #[test]
    fn who_waits_is_told_of_which_table() {
        for last in all(&texts::POSTGRES) {
            for (_, PlannedStatement { sql, effect }) in whole(MigrationPlan::of_postgres(&[last], |_, _| false)) {
                assert!(effect.writers == Writers::GoOn || !effect.locks.is_empty(), "{last}: {sql}");
            }
        }
    }

    #[test]
    fn every_migration_of_sqlite_falls_into_statements() {
        for (migration, PlannedStatement { sql, .. }) in whole(MigrationPlan::of_sqlite(&all(&texts::SQLITE))) {
            let word = sql.split_whitespace().next().unwrap();
            let known = ["CREATE", "ALTER", "DROP", "INSERT", "UPDATE", "DELETE", "SELECT", "WITH", "PRAGMA"];
            assert!(known.contains(&word), "{migration}: {sql}");
        }
    }

    #[test]
    fn in_a_new_database_nobody_waits() {
        for (migration, PlannedStatement { sql, effect }) in whole(new_postgres()) {
            assert_eq!((effect.writers, effect.locks), (Writers::GoOn, vec![]), "{migration}: {sql}");
        }
    }

    /// A lock is held until its transaction ends: who needs two tables would wait for both, one after the other.
    #[test]
    fn no_transaction_keeps_writers_from_more_than_one_table() {
        // Those of earlier releases are as they are.
        let newer = all(&texts::POSTGRES).into_iter().filter(|it| *it > "2026-11-23");
        for last in newer {
            let plan = MigrationPlan::of_postgres(&[last], |_, _| false);
            for PlannedStep { statements } in plan.migrations.into_iter().flat_map(|it| it.steps) {
                let waits = |it: &&PlannedStatement| it.effect.writers != Writers::GoOn;
                let locks = statements.iter().filter(waits).flat_map(|it| &it.effect.locks).map(|it| &it.table);
                assert!(locks.collect::<HashSet<_>>().len() < 2, "{last}: {statements:#?}");
            }
        }
    }

    #[test]
    fn a_step_may_be_done_once_more() {
        let in_steps = in_steps();
        assert!(!in_steps.is_empty());
        for last in &in_steps {
            let plan = MigrationPlan::of_postgres(&[last], |_, _| false);
            for PlannedStep { statements } in plan.migrations.into_iter().flat_map(|it| it.steps) {
                for PlannedStatement { sql, .. } in &statements {
                    let is_known = AGAIN.iter().any(|begin| sql.starts_with(begin));
                    let is_altered = sql.starts_with("ALTER TABLE")
                        && [" SET (", " ADD COLUMN IF NOT EXISTS", " DROP NOT NULL"].iter().any(|it| sql.contains(it));
                    let is_kept = !sql.starts_with("INSERT") || sql.contains("ON CONFLICT");
                    assert!((is_known || is_altered) && is_kept, "{last}: {sql}");
                    assert!(!sql.starts_with("ALTER INDEX") || statements.len() == 2, "{last}: {sql}");
                }
            }
        }
    }
}

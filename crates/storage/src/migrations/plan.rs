//! The plan of `tidings migrate`: pending migrations with their SQL and their effect on other clients.

use std::collections::HashSet;

use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use serde::Serialize;

use super::header::{Effect, Writers};
use super::{POSTGRES, baseline, texts};

/// The pending migrations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MigrationPlan {
    /// `postgresql` or `sqlite`.
    pub database: &'static str,
    /// The migrations in order.
    pub migrations: Vec<PlannedMigration>,
}

/// A pending migration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedMigration {
    /// Its name.
    pub name: String,
    /// Whether it can wait until no process of the earlier release is running.
    pub after_rollout: bool,
    /// Its effect on other clients.
    #[serde(flatten)]
    pub effect: Effect,
    /// The steps, each a separate transaction.
    pub steps: Vec<PlannedStep>,
}

/// A transaction of a migration. Its locks are held until it ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedStep {
    /// Its statements, without comments.
    pub sql: String,
}

impl MigrationPlan {
    /// Returns the plan for a SQLite file with these pending migrations. Each one locks the whole file.
    pub(super) fn of_sqlite(pending: &[&str]) -> Self {
        let planned = |name: &&str| {
            let text = baseline::text_of(&texts::SQLITE, name).unwrap_or_default();
            let effect = Effect { writers: Writers::Wait, ..Effect::NOTHING };
            let steps = vec![PlannedStep { sql: texts::without_comments(text) }];
            PlannedMigration { name: (*name).to_owned(), after_rollout: false, effect, steps }
        };
        Self { database: "sqlite", migrations: pending.iter().map(planned).collect() }
    }

    /// Returns the plan for a PostgreSQL database with these pending migrations, without the completed steps, which
    /// `is_done` reports by migration and number. An empty database has no other clients.
    pub(super) fn of_postgres(pending: &[&str], is_done: impl Fn(&str, usize) -> bool) -> Self {
        let in_steps = in_steps();
        let is_new = pending.contains(&baseline::NAME);
        let planned = |name: &&str| {
            let text = baseline::text_of(&texts::POSTGRES, name).unwrap_or_default();
            let steps: Vec<&str> = match in_steps.contains(*name) {
                true => texts::steps(text).collect(),
                false => vec![text],
            };
            let left = steps.into_iter().enumerate().filter(|(number, _)| !is_done(name, *number));
            PlannedMigration {
                name: (*name).to_owned(),
                after_rollout: texts::is_after_rollout(name),
                effect: if is_new { Effect::NOTHING } else { Effect::read(text) },
                steps: left.map(|(_, step)| PlannedStep { sql: texts::without_comments(step) }).collect(),
            }
        };
        Self { database: "postgresql", migrations: pending.iter().map(planned).collect() }
    }
}

/// Returns the names of the migrations that are not a single transaction.
pub(super) fn in_steps() -> HashSet<String> {
    let embedded: Vec<Box<dyn Migration<Pg>>> = POSTGRES.migrations().unwrap_or_default();
    let in_steps = embedded.into_iter().filter(|it| !it.metadata().run_in_transaction());
    in_steps.map(|it| it.name().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(pending: &[&str]) -> MigrationPlan {
        MigrationPlan::of_postgres(pending, |_, _| false)
    }

    #[test]
    fn an_empty_database_runs_the_baseline_and_keeps_no_writers_waiting() {
        let pending = baseline::pending(&texts::POSTGRES, &HashSet::new()).unwrap();
        let plan = plan(&pending);
        assert_eq!(plan.migrations.first().unwrap().name, baseline::NAME);
        for migration in plan.migrations {
            assert_eq!(migration.effect, Effect::NOTHING, "{}", migration.name);
        }
    }

    #[test]
    fn marks_migrations_that_wait_for_the_end_of_the_rollout() {
        let plan = plan(&["2027-01-01-001000_content_retention", "2099-01-01-000000_columns_after_rollout"]);
        assert_eq!(plan.migrations.iter().map(|it| it.after_rollout).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn every_migration_of_postgresql_has_a_header() {
        for (name, text) in texts::POSTGRES.migrations {
            assert_ne!(Effect::read(text).writers, Writers::Unknown, "{name}: add `-- Locks:` and `-- Writers:`");
            assert!(text.starts_with("-- Locks: "), "{name}");
        }
    }

    #[test]
    fn a_plan_contains_the_steps_that_are_left_without_comments() {
        let name = "2027-01-01-001000_content_retention";
        let whole = plan(&[name]).migrations.remove(0).steps;
        assert!(whole.first().unwrap().sql.starts_with("CREATE INDEX CONCURRENTLY"), "{whole:?}");
        let left = MigrationPlan::of_postgres(&[name], |_, number| number == 0).migrations.remove(0).steps;
        assert_eq!(left, whole.get(1..).unwrap());
        for tree in [texts::POSTGRES, texts::SQLITE] {
            for (name, text) in tree.migrations {
                let sql = texts::without_comments(text);
                assert!(sql.ends_with(';') && !sql.lines().any(|line| line.starts_with("--")), "{name}");
            }
        }
    }

    /// A step that creates or drops an index concurrently may run again after an interruption. Other steps are recorded
    /// in their own transaction.
    #[test]
    fn a_concurrent_step_is_one_statement_that_can_be_repeated() {
        for name in in_steps() {
            for PlannedStep { sql } in plan(&[&name]).migrations.remove(0).steps {
                if sql.contains("CONCURRENTLY") {
                    let begins = ["CREATE INDEX ", "CREATE UNIQUE INDEX ", "DROP INDEX CONCURRENTLY IF EXISTS "];
                    assert!(begins.iter().any(|begin| sql.starts_with(begin)), "{name}: {sql}");
                    assert_eq!(sql.matches(';').count(), 1, "{name}: {sql}");
                }
            }
        }
    }
}

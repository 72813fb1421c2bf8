//! The statements on which PostgreSQL spent its time, from `pg_stat_statements`, or from the log if that is missing.

use std::collections::BTreeMap;

use anyhow::Result;
use tokio_postgres::SimpleQueryMessage;

use super::{Asked, Cluster, Step};
use crate::results::Spent;

/// The number of statements listed.
const NAMED: usize = 8;
/// Marks the queries with which the benchmark watches progress.
const OWN: &str = "/* watched */";

/// Marks a query of this program, so profiles exclude it.
pub(crate) fn watched(query: &str) -> String {
    format!("{OWN} {query}")
}

/// Returns the statements with the most total time in these steps.
pub(crate) fn by_steps(steps: &[Step], operations: u64) -> Vec<Spent> {
    let mut statements: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for step in steps.iter().filter(|it| !it.sql.contains(OWN)) {
        let (calls, micros) = statements.entry(&step.sql).or_default();
        *calls += u64::from(step.asked == Asked::Execute);
        *micros += step.micros;
    }
    let each = |all: u64| all as f64 / operations.max(1) as f64;
    let spent = |(sql, (calls, micros)): (&str, (u64, u64))| Spent {
        statement: sql.to_owned(),
        calls: each(calls),
        micros: each(micros),
    };
    let mut spent: Vec<Spent> = statements.into_iter().map(spent).collect();
    spent.sort_by(|one, other| other.micros.total_cmp(&one.micros));
    spent.truncate(NAMED);
    spent
}

impl Cluster {
    /// Resets the statistics.
    ///
    /// # Errors
    /// Errors of PostgreSQL.
    pub(crate) async fn forget_spent(&self) -> Result<()> {
        if self.has_statements {
            let admin = self.connect("postgres").await?;
            admin.batch_execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements").await?;
            admin.simple_query("SELECT pg_stat_statements_reset()").await?;
        }
        Ok(())
    }

    /// Returns the statements of a database with the most time since the reset; none without `pg_stat_statements`.
    ///
    /// # Errors
    /// Errors of PostgreSQL.
    pub(crate) async fn spent(&self, database: &str, operations: u64) -> Result<Vec<Spent>> {
        if !self.has_statements {
            return Ok(Vec::new());
        }
        let admin = self.connect("postgres").await?;
        let longest = format!(
            "SELECT regexp_replace(s.query, '\\s+', ' ', 'g'), s.calls, s.total_exec_time * 1000 \
             FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid \
             WHERE d.datname = '{database}' AND position('{OWN}' IN s.query) = 0 ORDER BY s.total_exec_time DESC LIMIT {NAMED}"
        );
        let mut spent = Vec::new();
        for message in admin.simple_query(&longest).await? {
            let SimpleQueryMessage::Row(row) = message else { continue };
            let number = |place| row.get(place).and_then(|it: &str| it.parse::<f64>().ok()).unwrap_or_default();
            let each = |all: f64| all / operations.max(1) as f64;
            let statement = row.get(0).unwrap_or_default().to_owned();
            spent.push(Spent { statement, calls: each(number(1)), micros: each(number(2)) });
        }
        Ok(spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up_the_calls_and_time_of_each_statement() {
        let step = |asked, micros, sql: &str| Step { pid: 1, asked, micros, sql: sql.to_owned() };
        let own = watched("SELECT count(*) FROM a");
        let steps = [
            step(Asked::Execute, 5, "BEGIN"),
            step(Asked::Bind, 30, "SELECT a"),
            step(Asked::Execute, 10, "SELECT a"),
            step(Asked::Execute, 900, &own),
        ];
        let spent = by_steps(&steps, 2);
        let told: Vec<_> = spent.iter().map(|it| (it.statement.as_str(), it.calls, it.micros)).collect();
        assert_eq!(told, [("SELECT a", 0.5, 20.0), ("BEGIN", 0.5, 2.5)]);
    }
}

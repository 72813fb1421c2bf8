//! Which statements PostgreSQL spent its time in, by `pg_stat_statements`.

use anyhow::Result;
use tokio_postgres::SimpleQueryMessage;

use super::Cluster;
use crate::results::Spent;

/// So many statements are named.
const NAMED: u32 = 8;

impl Cluster {
    /// Counts from here on.
    ///
    /// # Errors
    /// Those of PostgreSQL.
    pub(crate) async fn forget_spent(&self) -> Result<()> {
        if self.has_statements {
            let admin = self.connect("postgres").await?;
            admin.batch_execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements").await?;
            admin.simple_query("SELECT pg_stat_statements_reset()").await?;
        }
        Ok(())
    }

    /// The statements of a database that took the longest since then; none where PostgreSQL does not say.
    ///
    /// # Errors
    /// Those of PostgreSQL.
    pub(crate) async fn spent(&self, database: &str, operations: u64) -> Result<Vec<Spent>> {
        if !self.has_statements {
            return Ok(Vec::new());
        }
        let admin = self.connect("postgres").await?;
        let longest = format!(
            "SELECT regexp_replace(s.query, '\\s+', ' ', 'g'), s.calls, s.total_exec_time * 1000 \
             FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid \
             WHERE d.datname = '{database}' ORDER BY s.total_exec_time DESC LIMIT {NAMED}"
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

//! Copies the patterns on PostgreSQL, inside the database.

use anyhow::Result;

use super::{EPOCH_MILLIS, FIRST, HISTORY, ID_HEAD, PATTERNS, Seed, TABLES};
use crate::postgres::{Cluster, MARKER};
use crate::service::Program;

/// The number of contacts copied at once.
const PORTION: u64 = 50_000;

impl Seed {
    /// Creates a database with `contacts` contacts.
    ///
    /// # Errors
    /// The service or PostgreSQL fails.
    pub(crate) async fn on_postgres(cluster: &Cluster, program: &Program, contacts: u64) -> Result<Self> {
        let name = format!("contacts_{contacts}");
        cluster.create(&name, None).await?;
        let (seed, patterns) = Self::found(&name, &cluster.url(&name), program, "api").await?;
        let client = cluster.connect(&name).await?;
        client.batch_execute("CREATE TEMP TABLE pattern (place bigint, id uuid, shown text)").await?;
        for (place, pattern) in patterns.iter().enumerate() {
            let id = tidings_domain::ids::TypedId::uuid(pattern.id);
            let insert = format!("INSERT INTO pattern VALUES ({place}, '{id}', '{}')", pattern.id);
            client.batch_execute(&insert).await?;
        }
        for (table, column) in TABLES {
            let keep = format!(
                "CREATE TEMP TABLE pattern_{table} AS SELECT place, pattern.id, shown, to_jsonb(it)::text AS row \
                 FROM {table} it JOIN pattern ON pattern.id = it.{column}"
            );
            client.batch_execute(&keep).await?;
        }
        for begin in (0..contacts).step_by(usize::try_from(PORTION)?) {
            let end = (begin + PORTION).min(contacts);
            for (table, _) in TABLES {
                client.batch_execute(&copy(table, FIRST + begin, FIRST + end - 1)).await?;
            }
        }
        for (table, column) in TABLES.iter().rev() {
            client.batch_execute(&format!("DELETE FROM {table} WHERE {column} IN (SELECT id FROM pattern)")).await?;
        }
        client.batch_execute(&format!("TRUNCATE {} CASCADE", HISTORY.join(", "))).await?;
        client.batch_execute("VACUUM ANALYZE").await?;
        client.batch_execute("CHECKPOINT").await?;
        Ok(Self { contacts, ..seed })
    }

    /// Copies the database for writing.
    ///
    /// # Errors
    /// The original has open connections.
    pub(crate) async fn copy(&self, cluster: &Cluster, name: &str) -> Result<Self> {
        cluster.drop(name).await?;
        cluster.create(name, Some(&self.name)).await?;
        Ok(self.at(name, cluster.url(name)))
    }
}

/// Returns the statement that copies the rows of one table for the contacts with these numbers.
fn copy(table: &str, first: u64, last: u64) -> String {
    let times = match table {
        "contacts" => "|| jsonb_build_object('created_at', made.at, 'updated_at', made.at)",
        _ => "",
    };
    format!(
        "INSERT INTO {table} SELECT copied.* FROM generate_series({first}::bigint, {last}::bigint) AS numbers (n) \
         JOIN pattern_{table} ON place = n % {PATTERNS} \
         CROSS JOIN LATERAL (SELECT to_timestamp(({EPOCH_MILLIS} + n - {FIRST}) / 1000.0) AS at) made \
         CROSS JOIN LATERAL jsonb_populate_record(NULL::{table}, replace(replace(replace(\
         pattern_{table}.row, pattern_{table}.id::text, '{ID_HEAD}' || n), shown, 'contact_' || n), \
         '{MARKER}', n::text)::jsonb {times}) copied"
    )
}

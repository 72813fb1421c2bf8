//! A new store with a service that fills it as users do.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tokio_postgres::Client;

use crate::http::{Answer, Load, Traffic, Until, request};
use crate::meter::Meter;
use crate::postgres::{is_idle, text, watched};
use crate::results::On;
use crate::scenarios::Bench;
use crate::seed::{FIRST, Seed};
use crate::service::{Program, Service};

const CONNECTIONS: usize = 16;
/// Tables with queue or history rows, each with the condition of unfinished rows. The row that stays should be
/// finished, because its job is deleted. Not all tables exist in each version.
const CHURNED: &[(&str, &str)] = &[
    ("jobs", "false"),
    ("delivery_attempts", "false"),
    ("deliveries", "status <> 'succeeded'"),
    ("flow_runs", "status <> 'completed'"),
    ("messages", "status = 'queued'"),
    ("events", "false"),
    ("event_outbox", "false"),
    ("idempotency_keys", "false"),
    ("analytics_facts", "false"),
    ("api_usage", "false"),
];
/// Work that waits for the engine, on SQLite.
const WAITING: &str =
    "SELECT count(*) FROM (SELECT 1 FROM jobs UNION ALL SELECT 1 FROM deliveries WHERE queue IS NOT NULL LIMIT 1)";
/// Creates a table that autovacuum analyses on its next visit: it has more than `autovacuum_analyze_threshold` new
/// rows.
const LOOKED_AT: &str = "CREATE TABLE autovacuum_looks AS SELECT generate_series(1, 1000) AS number";
const IS_LOOKED_AT: &str =
    "SELECT last_autoanalyze IS NOT NULL FROM pg_stat_user_tables WHERE relname = 'autovacuum_looks'";
const IS_ANALYSED: &str = "SELECT last_autoanalyze IS NOT NULL FROM pg_stat_user_tables WHERE relname = 'contacts'";
/// The number of times that a store is polled for completion.
const LOOKS: u32 = 6_000;

/// A store with a service that has run on it since its first row.
pub(super) struct Place<'b> {
    pub(super) bench: &'b Bench,
    program: Program,
    on: On,
    pub(super) seed: Seed,
    service: Option<Service>,
    /// The connection for counts, on PostgreSQL.
    client: Option<Client>,
}

impl<'b> Place<'b> {
    /// Creates a store with one workspace and starts the service on it.
    ///
    /// # Errors
    /// The program or the database fails.
    pub(super) async fn found(bench: &'b Bench, program: &Program, on: On, name: &str) -> Result<Self> {
        let (name, storage) = match on {
            On::Postgres => {
                let name = format!("wild_{}", name.replace('-', "_"));
                bench.cluster.drop(&name).await?;
                bench.cluster.create(&name, None).await?;
                let url = bench.cluster.url(&name);
                (name, url)
            }
            On::Sqlite => {
                let folder = bench.folder.join(format!("wild-{name}"));
                if folder.exists() {
                    std::fs::remove_dir_all(&folder)?;
                }
                std::fs::create_dir_all(&folder)?;
                let path = folder.join("tidings.db").display().to_string();
                let storage = format!("sqlite://{path}");
                (path, storage)
            }
        };
        let seed = Seed::empty(&name, &storage, program)?;
        let client = match on {
            On::Postgres => Some(bench.cluster.connect(&name).await?),
            On::Sqlite => None,
        };
        let mut place = Self { bench, program: program.clone(), on, seed, service: None, client };
        place.serve("all")?;
        Ok(place)
    }

    /// Stops the service and removes the store, so nothing runs during other measurements.
    ///
    /// # Errors
    /// Errors of the database.
    pub(super) async fn close(self) -> Result<()> {
        drop(self.service);
        match self.on {
            On::Postgres => self.bench.cluster.drop(&self.seed.name).await,
            On::Sqlite => {
                let folder = Path::new(&self.seed.name).parent().context("the folder of the file")?;
                Ok(std::fs::remove_dir_all(folder)?)
            }
        }
    }

    /// Restarts the service with this role.
    ///
    /// # Errors
    /// The service does not start.
    pub(super) fn serve(&mut self, role: &str) -> Result<()> {
        self.service = None;
        self.service = Some(self.program.serve(&self.seed.storage, role, &self.seed.key)?);
        Ok(())
    }

    pub(super) fn end(&mut self) {
        self.service = None;
    }

    pub(super) fn service(&self) -> Result<&Service> {
        self.service.as_ref().context("a service that runs")
    }

    /// Measures the service, and PostgreSQL if it is used.
    pub(super) fn meter(&self) -> Result<Meter> {
        let database = (self.on == On::Postgres).then_some(self.bench.cluster.postmaster);
        Ok(Meter { service: Some(self.service()?.pid()), database })
    }

    pub(super) fn load(&self, connections: usize, until: Until) -> Result<Load> {
        Ok(Load { address: self.service()?.address()?, connections, until })
    }

    /// Returns the number that a query selects.
    ///
    /// # Errors
    /// The query returns no number.
    pub(super) async fn number(&self, query: &str) -> Result<u64> {
        match &self.client {
            Some(client) => Ok(text(client, &watched(query)).await?.parse()?),
            None => {
                let connection = rusqlite::Connection::open(&self.seed.name)?;
                connection.busy_timeout(Duration::from_secs(10))?;
                let number: i64 = connection.query_row(query, [], |row| row.get(0))?;
                Ok(u64::try_from(number)?)
            }
        }
    }

    /// Waits until PostgreSQL's autovacuum has just visited this database. Its next visit is one `autovacuum_naptime`
    /// away, a minute by default, so the following measurement always starts without statistics.
    ///
    /// # Errors
    /// Errors of PostgreSQL, or no visit within three minutes.
    pub(super) async fn after_autovacuum(&self) -> Result<()> {
        let Some(client) = &self.client else { return Ok(()) };
        client.batch_execute(LOOKED_AT).await?;
        for _ in 0..LOOKS {
            if text(client, &watched(IS_LOOKED_AT)).await? == "t" {
                return Ok(client.batch_execute("DROP TABLE autovacuum_looks").await?);
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        bail!("autovacuum did not process the database within three minutes: is it on?")
    }

    /// Whether autovacuum has analysed the contacts since.
    ///
    /// # Errors
    /// Errors of PostgreSQL.
    pub(super) async fn is_analysed(&self) -> Result<bool> {
        match &self.client {
            Some(client) => Ok(text(client, &watched(IS_ANALYSED)).await? == "t"),
            None => Ok(false),
        }
    }

    /// Copies the database while it has no connections.
    ///
    /// # Errors
    /// Errors of PostgreSQL, or of the restarted service.
    pub(super) async fn copy(&mut self, name: &str) -> Result<Seed> {
        self.service = None;
        self.client = None;
        let users = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{}'", self.seed.name);
        let admin = self.bench.cluster.connect("postgres").await?;
        while text(&admin, &users).await? != "0" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let beside = self.seed.copy(&self.bench.cluster, name).await?;
        self.client = Some(self.bench.cluster.connect(&self.seed.name).await?);
        self.serve("all")?;
        Ok(beside)
    }

    /// Waits until the engine has no work left.
    ///
    /// # Errors
    /// The engine does not finish in time.
    pub(super) async fn idle(&self) -> Result<()> {
        for _ in 0..LOOKS {
            let is_idle = match &self.client {
                Some(client) => is_idle(client).await?,
                None => self.number(WAITING).await? == 0,
            };
            if is_idle {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        bail!("the engine did not finish within two minutes")
    }

    /// Creates the contacts with these numbers through the API; returns their IDs.
    ///
    /// # Errors
    /// A contact is not created.
    pub(super) async fn populate(&self, numbers: Range<u64>) -> Result<Vec<String>> {
        let (first, count) = (numbers.start, numbers.end.saturating_sub(numbers.start));
        let traffic = Arc::new(Contacts { key: self.seed.key.clone(), first, ids: Mutex::default() });
        self.load(CONNECTIONS, Until::Requests(count))?.run(traffic.clone()).await?;
        let ids = std::mem::take(&mut *lock(&traffic.ids));
        Ok(ids)
    }

    /// Brings the store into the form "emptied": each queue or history table keeps one row and its pages, vacuumed and
    /// analysed.
    ///
    /// # Errors
    /// Errors of PostgreSQL.
    pub(super) async fn empty(&self) -> Result<()> {
        let client = self.bench.cluster.connect(&self.seed.name).await?;
        // Rows are deleted in any order.
        client.batch_execute("SET session_replication_role = replica").await?;
        for (table, unfinished) in CHURNED {
            if text(&client, &format!("SELECT to_regclass('{table}') IS NULL")).await? == "t" {
                continue;
            }
            let stays = format!("SELECT ctid FROM {table} ORDER BY ({unfinished}) IS TRUE, ctid LIMIT 1");
            let delete = format!("DELETE FROM {table} WHERE ctid <> ({stays})");
            client.batch_execute(&delete).await?;
            client.batch_execute(&format!("VACUUM (ANALYZE, TRUNCATE off) {table}")).await?;
        }
        Ok(())
    }

    /// Keeps a snapshot open as long as the connection exists.
    ///
    /// # Errors
    /// Errors of PostgreSQL.
    pub(super) async fn hold(&self) -> Result<Client> {
        let client = self.bench.cluster.connect(&self.seed.name).await?;
        client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
        text(&client, "SELECT count(*) FROM contacts").await?;
        Ok(client)
    }

    /// Sends a request outside the measurement.
    ///
    /// # Errors
    /// Another status.
    pub(super) async fn post(&self, path: &str, body: &Value, status: u16) -> Result<Value> {
        self.service()?.post(path, body, status).await
    }
}

/// Contacts as users create them: without a phone number. The index of numbers is then small, and without statistics
/// the planner takes it for the cheapest path to any contact.
struct Contacts {
    key: String,
    first: u64,
    ids: Mutex<Vec<String>>,
}

impl Traffic for Contacts {
    fn write(&self, number: u64, out: &mut Vec<u8>) {
        let number = self.first + number;
        let contact = json!({
            "external_id": external_id(number),
            "email": format!("customer-{}@example.com", FIRST + number),
            "first_name": "Ada",
        });
        request("POST", "/api/v1/contacts", &self.key, "", &contact.to_string(), out);
    }

    fn check(&self, _: u64, answer: Answer<'_>) -> Result<()> {
        let made = answer.expect(201)?;
        lock(&self.ids).push(crate::service::word(&made, "id")?.to_owned());
        Ok(())
    }
}

/// Returns the external ID of a contact.
pub(super) fn external_id(number: u64) -> String {
    format!("customer-{}", FIRST + number)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

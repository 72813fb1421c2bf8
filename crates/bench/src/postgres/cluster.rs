//! The cluster that `tests/bin/with-postgres` started for this run.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use procfs::Current;
use tokio_postgres::{Client, Config, NoTls, SimpleQueryMessage};

const MISSING: &str = "no PostgreSQL found: run `make bench`, or use tests/bin/with-postgres. To install PostgreSQL, \
                       run `sudo apt-get install postgresql` (macOS: `brew install postgresql`)";

/// The log prefix that the statement capture parses.
const PREFIX: (&str, &str) = ("log_line_prefix", "'%p|%d|'");
/// No checkpoint during a round; durability is unchanged.
const TUNING: &[(&str, &str)] =
    &[("max_wal_size", "'8GB'"), ("checkpoint_timeout", "'60min'"), ("autovacuum", "off"), PREFIX];
/// Attributes time to statements. It ships with PostgreSQL, but not in every package.
const STATEMENTS: &str = "pg_stat_statements";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settings {
    /// The default settings, plus only what the measurements need.
    Shipped,
    /// More memory, and no background work during a round.
    Tuned,
}

#[derive(Debug, Clone)]
pub(crate) struct Cluster {
    config: Config,
    /// The postmaster's process ID.
    pub(crate) postmaster: u32,
    /// The pgbench of this installation.
    pub(crate) pgbench: PathBuf,
    pub(crate) version: String,
    /// Whether `pg_stat_statements` is available.
    pub(crate) has_statements: bool,
}

impl Cluster {
    /// Finds the cluster and restarts it with these settings.
    ///
    /// # Errors
    /// No cluster, or one that is not durable.
    pub(crate) async fn start(with: Settings) -> Result<Self> {
        let url = std::env::var("TEST_DATABASE_URL").context(MISSING)?;
        let config: Config = url.parse()?;
        let (pgbench, version) = (PathBuf::new(), String::new());
        let mut cluster = Self { config, postmaster: 0, pgbench, version, has_statements: false };
        let admin = cluster.connect("postgres").await.context(MISSING)?;
        let ships = format!("SELECT count(*) FROM pg_available_extensions WHERE name = '{STATEMENTS}'");
        cluster.has_statements = with == Settings::Shipped && text(&admin, &ships).await? == "1";
        let buffers = format!("'{}MB'", shared_buffers()?);
        let mut changed = match with {
            Settings::Shipped => vec![PREFIX],
            Settings::Tuned => TUNING.to_vec(),
        };
        match with {
            Settings::Shipped if cluster.has_statements => changed.push(("shared_preload_libraries", STATEMENTS)),
            Settings::Shipped => {}
            Settings::Tuned => changed.push(("shared_buffers", &buffers)),
        }
        admin.batch_execute("ALTER SYSTEM RESET ALL").await?;
        for (name, value) in changed {
            admin.batch_execute(&format!("ALTER SYSTEM SET {name} = {value}")).await?;
        }
        admin.batch_execute("CHECKPOINT").await?;
        drop(admin);
        restart()?;
        let admin = cluster.connect("postgres").await?;
        for durable in ["fsync", "synchronous_commit", "full_page_writes"] {
            if text(&admin, &format!("SHOW {durable}")).await? != "on" {
                bail!("{durable} is off: measured writes must be durable");
            }
        }
        cluster.version = text(&admin, "SHOW server_version").await?;
        let pid = text(&admin, "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)").await?;
        cluster.postmaster = pid.parse()?;
        let program = std::fs::read_link(format!("/proc/{pid}/exe")).context("where PostgreSQL's programs are")?;
        cluster.pgbench = program.with_file_name("pgbench");
        if !cluster.pgbench.exists() {
            bail!("pgbench is missing: run `sudo apt-get install postgresql-contrib` (or postgresql)");
        }
        Ok(cluster)
    }

    /// Connects to a database.
    ///
    /// # Errors
    /// The connection fails.
    pub(crate) async fn connect(&self, database: &str) -> Result<Client> {
        let (client, connection) = self.config.clone().dbname(database).connect(NoTls).await?;
        tokio::spawn(connection);
        Ok(client)
    }

    /// Creates a database: empty, or a copy of a database without connections.
    ///
    /// # Errors
    /// The database exists.
    pub(crate) async fn create(&self, database: &str, template: Option<&str>) -> Result<()> {
        let admin = self.connect("postgres").await?;
        let template = template.map(|it| format!(" TEMPLATE {it} STRATEGY file_copy")).unwrap_or_default();
        admin.batch_execute(&format!("CREATE DATABASE {database}{template}")).await?;
        Ok(())
    }

    /// Drops a database, even if it is in use.
    ///
    /// # Errors
    /// Errors of PostgreSQL.
    pub(crate) async fn drop(&self, database: &str) -> Result<()> {
        let admin = self.connect("postgres").await?;
        admin.batch_execute(&format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)")).await?;
        Ok(())
    }

    /// Returns the URL of a database for the service.
    pub(crate) fn url(&self, database: &str) -> String {
        let (host, port) = self.host_and_port();
        format!("postgres://{}@{host}:{port}/{database}", self.config.get_user().unwrap_or("tidings"))
    }

    /// Returns the connection options for PostgreSQL's own programs.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let (host, port) = self.host_and_port();
        let user = self.config.get_user().unwrap_or("tidings").to_owned();
        vec!["-h".to_owned(), host, "-p".to_owned(), port.to_string(), "-U".to_owned(), user]
    }

    fn host_and_port(&self) -> (String, u16) {
        let host = match self.config.get_hosts().first() {
            Some(tokio_postgres::config::Host::Tcp(host)) => host.clone(),
            _ => "127.0.0.1".to_owned(),
        };
        (host, self.config.get_ports().first().copied().unwrap_or(5432))
    }
}

/// Returns the first column of the first row.
///
/// # Errors
/// The query returns no row.
pub(crate) async fn text(client: &Client, query: &str) -> Result<String> {
    let messages = client.simple_query(query).await?;
    let row = messages.iter().find_map(|it| if let SimpleQueryMessage::Row(row) = it { Some(row) } else { None });
    Ok(row.and_then(|row| row.get(0)).with_context(|| format!("no row: {query}"))?.to_owned())
}

/// Returns a quarter of the machine's memory in megabytes, the starting value in PostgreSQL's documentation (section
/// 20.4).
fn shared_buffers() -> Result<u64> {
    Ok((procfs::Meminfo::current()?.mem_total / (4 << 20)).max(128))
}

fn restart() -> Result<()> {
    let control = std::env::var("TEST_POSTGRES_CONTROL").context(MISSING)?;
    for action in ["stop", "start"] {
        if !Command::new(&control).arg(action).status()?.success() {
            bail!("PostgreSQL did not {action}");
        }
    }
    Ok(())
}

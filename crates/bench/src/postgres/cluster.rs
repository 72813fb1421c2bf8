//! The cluster that `tests/bin/with-postgres` started for this run.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use procfs::Current;
use tokio_postgres::{Client, Config, NoTls, SimpleQueryMessage};

const MISSING: &str = "no PostgreSQL found: run `make bench`, or use tests/bin/with-postgres. To install PostgreSQL, \
                       run `sudo apt-get install postgresql` (macOS: `brew install postgresql`)";

/// For `log`, by which statements are listened to.
const PREFIX: (&str, &str) = ("log_line_prefix", "'%p|%d|'");
/// No checkpoint in the middle of a round; what is durable stays as it was.
const TUNING: &[(&str, &str)] =
    &[("max_wal_size", "'8GB'"), ("checkpoint_timeout", "'60min'"), ("autovacuum", "off"), PREFIX];
/// Names the statements that time was spent in. It ships with PostgreSQL, but not everywhere.
const STATEMENTS: &str = "pg_stat_statements";

/// With which settings PostgreSQL runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settings {
    /// As it comes. Nothing is added but what watches it.
    Shipped,
    /// With memory, and with nothing of its own in the middle of a round.
    Tuned,
}

/// A running cluster.
#[derive(Debug, Clone)]
pub(crate) struct Cluster {
    config: Config,
    /// Its first process.
    pub(crate) postmaster: u32,
    /// The program pgbench that belongs to it.
    pub(crate) pgbench: PathBuf,
    pub(crate) version: String,
    /// Whether it says what statements took.
    pub(crate) has_statements: bool,
}

impl Cluster {
    /// Finds the cluster, and has it started with these settings.
    ///
    /// # Errors
    /// Where there is none, or it is not durable.
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

    /// A connection to a database.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub(crate) async fn connect(&self, database: &str) -> Result<Client> {
        let (client, connection) = self.config.clone().dbname(database).connect(NoTls).await?;
        tokio::spawn(connection);
        Ok(client)
    }

    /// Makes a database: empty, or a copy of another one to which nobody is connected.
    ///
    /// # Errors
    /// Where it is there already.
    pub(crate) async fn create(&self, database: &str, template: Option<&str>) -> Result<()> {
        let admin = self.connect("postgres").await?;
        let template = template.map(|it| format!(" TEMPLATE {it} STRATEGY file_copy")).unwrap_or_default();
        admin.batch_execute(&format!("CREATE DATABASE {database}{template}")).await?;
        Ok(())
    }

    /// Drops a database, whoever uses it.
    ///
    /// # Errors
    /// Those of PostgreSQL.
    pub(crate) async fn drop(&self, database: &str) -> Result<()> {
        let admin = self.connect("postgres").await?;
        admin.batch_execute(&format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)")).await?;
        Ok(())
    }

    /// The address of a database, for the service.
    pub(crate) fn url(&self, database: &str) -> String {
        let (host, port) = self.host_and_port();
        format!("postgres://{}@{host}:{port}/{database}", self.config.get_user().unwrap_or("tidings"))
    }

    /// The options by which PostgreSQL's own programs reach it.
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

/// The first column of the first row.
///
/// # Errors
/// Where there is none.
pub(crate) async fn text(client: &Client, query: &str) -> Result<String> {
    let messages = client.simple_query(query).await?;
    let row = messages.iter().find_map(|it| if let SimpleQueryMessage::Row(row) = it { Some(row) } else { None });
    Ok(row.and_then(|row| row.get(0)).with_context(|| format!("no row: {query}"))?.to_owned())
}

/// Megabytes: a quarter of the machine's memory, where PostgreSQL's documentation says to begin (section 20.4).
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

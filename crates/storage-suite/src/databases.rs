//! A new database for each test, removed when the test ends.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio_postgres::{Client, NoTls};

/// Returns a name that is unique across processes and tests.
fn unique() -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    format!("tidings_test_{}_{}", std::process::id(), MADE.fetch_add(1, Ordering::SeqCst))
}

/// A folder for one SQLite file.
#[derive(Debug)]
pub struct SqliteFile {
    folder: PathBuf,
}

impl SqliteFile {
    /// Creates the folder. The file is created on first open.
    pub fn new() -> Self {
        let folder = std::env::temp_dir().join(unique());
        std::fs::create_dir_all(&folder).expect("a folder for the database");
        Self { folder }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> PathBuf {
        self.folder.join("tidings.db")
    }

    /// Returns the URL of the file.
    pub fn url(&self) -> String {
        format!("sqlite://{}", self.path().display())
    }

    /// Returns the folder of the file and its companions.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Default for SqliteFile {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for SqliteFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A database on the server of `TEST_DATABASE_URL`.
#[derive(Debug)]
pub struct PostgresDatabase {
    server: String,
    name: String,
}

impl PostgresDatabase {
    /// Creates an empty database.
    pub async fn new() -> Self {
        let server = server();
        let name = unique();
        run(&server, &format!("CREATE DATABASE {name}")).await;
        Self { server, name }
    }

    /// Creates a database with the schema that `migrate` creates at the given URL. It is a copy of a template, because
    /// a migration takes seconds. If another process is creating the template, this waits for it.
    ///
    /// The template's name depends on the text of the migrations, so a long-running server gets another template when
    /// they change.
    pub async fn migrated<F: Future<Output = ()>>(migrate: impl FnOnce(String) -> F) -> Self {
        let server = server();
        let template = format!("tidings_template_{:016x}", migrations_digest());
        let (client, connection) =
            tokio_postgres::connect(&server, NoTls).await.expect("PostgreSQL of TEST_DATABASE_URL");
        tokio::spawn(connection);
        client.batch_execute("SELECT pg_advisory_lock(hashtext('tidings_template'))").await.expect("a lock");
        let is_there = "SELECT 1 FROM pg_database WHERE datname = $1";
        if client.query(is_there, &[&template]).await.expect("an answer").is_empty() {
            let made = Self::new().await;
            migrate(made.url()).await;
            ended(&client, &made.name).await;
            let rename = format!("ALTER DATABASE {} RENAME TO {template}", made.name);
            client.batch_execute(&rename).await.expect("a template");
        }
        client.batch_execute("SELECT pg_advisory_unlock(hashtext('tidings_template'))").await.expect("no lock");
        let name = unique();
        client.batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {template}")).await.expect("a copy");
        Self { server, name }
    }

    /// Executes statements in the database.
    pub async fn execute(&self, statements: &str) {
        run(&self.url(), statements).await;
    }

    /// Returns the URL of the database.
    pub fn url(&self) -> String {
        let (before, parameters) = match self.server.split_once('?') {
            Some((before, parameters)) => (before, format!("?{parameters}")),
            None => (self.server.as_str(), String::new()),
        };
        let server = match before.split_once("://").and_then(|(_, rest)| rest.rfind('/')) {
            Some(_) => before.rsplit_once('/').expect("a slash").0,
            None => before,
        };
        format!("{server}/{}{parameters}", self.name)
    }
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // The test's runtime may be shutting down, so this statement uses a separate one.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(run(&server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")));
        });
        let _ = dropped.join();
    }
}

/// Returns a digest of every file that determines a migrated database.
fn migrations_digest() -> u64 {
    let mut left: Vec<PathBuf> =
        ["migrations/postgres", "migrations/baseline/postgres", "crates/storage/src/migrations"]
            .map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder))
            .into();
    let mut texts = BTreeMap::new();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(std::fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else {
            texts.insert(path.clone(), std::fs::read(&path).expect("a file"));
        }
    }
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    hasher.finish()
}

/// Waits until a database has no connections.
async fn ended(client: &Client, name: &str) {
    let sessions = "SELECT 1 FROM pg_stat_activity WHERE datname = $1";
    let begun = Instant::now();
    while !client.query(sessions, &[&name]).await.expect("an answer").is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "a session of {name} does not end");
    }
}

fn server() -> String {
    std::env::var("TEST_DATABASE_URL").expect("run `make test`, or set TEST_DATABASE_URL")
}

/// Executes statements on a separate connection.
pub async fn run(url: &str, statement: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("PostgreSQL of TEST_DATABASE_URL");
    let connection = tokio::spawn(connection);
    client.batch_execute(statement).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
    drop(client);
    let _ = connection.await;
}

/// Returns the first column of a query's rows as texts.
pub async fn texts(url: &str, query: &str) -> Vec<String> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("PostgreSQL of TEST_DATABASE_URL");
    let connection = tokio::spawn(connection);
    let rows = client.query(query, &[]).await.unwrap_or_else(|error| panic!("{query}: {error}"));
    drop(client);
    let _ = connection.await;
    rows.iter().map(|row| row.get(0)).collect()
}

/// Returns the error code with which PostgreSQL rejects a statement.
pub async fn refusal(url: &str, statement: &str) -> String {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("PostgreSQL of TEST_DATABASE_URL");
    let connection = tokio::spawn(connection);
    let error = client.batch_execute(statement).await.expect_err(statement);
    drop(client);
    let _ = connection.await;
    error.code().map(|code| code.code().to_owned()).unwrap_or_default()
}

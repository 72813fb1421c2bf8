//! The binary with a separate database.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use serde_json::{Value, json};
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile};

use super::Client;

const BINARY: &str = env!("CARGO_BIN_EXE_tidings");
/// An arbitrary key of 32 bytes.
pub const MASTER_KEY: &str = "c2l4dGVlbiBieXRlcyBhbmQgc2l4dGVlbiBtb3JlISE=";
/// The token for the metrics of every server.
pub const METRICS_TOKEN: &str = "metrics-of-the-tests";

/// The database of a server.
pub enum Store {
    Sqlite(SqliteFile),
    Postgres(PostgresDatabase),
    /// An existing database.
    At(String),
}

impl Store {
    pub async fn sqlite() -> Self {
        Self::Sqlite(SqliteFile::new())
    }

    /// Creates a PostgreSQL database with the schema.
    pub async fn postgres() -> Self {
        let migrate = async |url: String| {
            let storage = Storage::open(&StorageSettings::new(url)).await.unwrap();
            storage.migrate().await.unwrap();
        };
        Self::Postgres(PostgresDatabase::migrated(migrate).await)
    }

    pub fn url(&self) -> String {
        match self {
            Self::Sqlite(file) => file.url(),
            Self::Postgres(database) => database.url(),
            Self::At(url) => url.clone(),
        }
    }
}

/// A server that is killed on drop.
pub struct Server {
    child: Option<Child>,
    store: Arc<Store>,
    folder: PathBuf,
    settings: Vec<(String, String)>,
    /// Shell lines that start the program, if it is not started directly.
    wrapper: Option<String>,
    /// The workspace created for the test.
    pub workspace: String,
    pub key: String,
    /// The URL of the API after the start.
    pub base: String,
}

impl Server {
    /// Migrates a new database, and creates a workspace and a key with commands.
    pub fn provision(store: Store, settings: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("tidings-test-{}", unique()));
        std::fs::create_dir_all(&folder).unwrap();
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut server = Self {
            child: None,
            store: Arc::new(store),
            folder,
            settings,
            wrapper: None,
            workspace: String::new(),
            key: String::new(),
            base: String::new(),
        };
        server.command(&["migrate"]);
        let workspace = server.command(&["workspace", "create", "--name", "Test", "--plan", "business"]);
        server.workspace = workspace["id"].as_str().unwrap().to_owned();
        let workspace = server.workspace.clone();
        server.key = server.new_key(&workspace, "full");
        server
    }

    /// Returns a server on a store that has a workspace and a key already; it is not started.
    pub fn of(store: Store, settings: &[(&str, &str)], workspace: String, key: String) -> Self {
        let folder = std::env::temp_dir().join(format!("tidings-test-{}", unique()));
        std::fs::create_dir_all(&folder).unwrap();
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let store = Arc::new(store);
        Self { child: None, store, folder, settings, wrapper: None, workspace, key, base: String::new() }
    }

    /// Provisions and starts a server.
    pub fn start(store: Store, settings: &[(&str, &str)]) -> Self {
        let mut server = Self::provision(store, settings);
        server.serve();
        server
    }

    /// Returns a server with the same settings, workspace and key on another store; it is not started.
    pub fn elsewhere(&self, store: Store) -> Self {
        let settings: Vec<_> = self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        Self::of(store, &settings, self.workspace.clone(), self.key.clone())
    }

    /// Runs a command with other settings; returns whether it succeeded, and its output.
    pub fn attempt(&self, arguments: &[&str], settings: &[(&str, &str)]) -> (bool, String) {
        let output = self.program().envs(settings.iter().copied()).args(arguments).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    }

    /// Starts another server of the same service: the same store, settings, workspace and key.
    pub fn twin(&self) -> Self {
        let folder = std::env::temp_dir().join(format!("tidings-test-{}", unique()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut twin = Self {
            child: None,
            store: Arc::clone(&self.store),
            folder,
            settings: self.settings.clone(),
            wrapper: self.wrapper.clone(),
            workspace: self.workspace.clone(),
            key: self.key.clone(),
            base: String::new(),
        };
        twin.serve();
        twin
    }

    pub fn url(&self) -> String {
        self.store.url()
    }

    fn program(&self) -> Command {
        let mut command = match &self.wrapper {
            None => Command::new(BINARY),
            Some(wrapper) => {
                let mut shell = Command::new("sh");
                shell.args(["-c", wrapper, BINARY]);
                shell
            }
        };
        command
            .current_dir(&self.folder)
            .env_clear()
            .envs(std::env::vars().filter(|(name, _)| !name.starts_with("TIDINGS") && name != "TEST_DATABASE_URL"));
        command
            .env("TIDINGS_ENV", "test")
            .env("TIDINGS__STORAGE__URL", self.store.url())
            .env("TIDINGS__SECRETS__MASTER_KEY", MASTER_KEY)
            .env("TIDINGS__HTTP__ADDRESS", "127.0.0.1:0")
            .env("TIDINGS__HTTP__WORKERS", "2")
            .env("TIDINGS__EGRESS__ALLOW_LOOPBACK", "true")
            .env("TIDINGS__LOG__LEVEL", "warn");
        for (name, value) in &self.settings {
            command.env(name, value);
        }
        command
    }

    /// Runs a command and parses its JSON output.
    #[track_caller]
    pub fn command(&self, arguments: &[&str]) -> Value {
        let output = self.program().args(arguments).arg("--json").output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "tidings {arguments:?}: {out}{err}");
        serde_json::from_str(&out).unwrap_or(Value::Null)
    }

    /// Runs a command with this standard input, and parses its JSON output.
    #[track_caller]
    pub fn command_with_input(&self, arguments: &[&str], input: &[u8]) -> Value {
        let mut program = self.program();
        program.args(arguments).arg("--json").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut running = program.spawn().unwrap();
        running.stdin.take().unwrap().write_all(input).unwrap();
        let output = running.wait_with_output().unwrap();
        assert!(output.status.success(), "tidings {arguments:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Runs a command that must fail, and returns its output.
    #[track_caller]
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.program().args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "tidings {arguments:?}: {said}");
        said + &String::from_utf8_lossy(&output.stdout)
    }

    /// Changes a setting for later starts.
    pub fn set(&mut self, name: &str, value: &str) {
        self.settings.retain(|(other, _)| other != name);
        self.settings.push((name.to_owned(), value.to_owned()));
    }

    pub fn new_key(&self, workspace: &str, scope: &str) -> String {
        let made = self.command(&["key", "create", "--workspace", workspace, "--scope", scope, "--name", scope]);
        made["key"].as_str().unwrap().to_owned()
    }

    /// Creates a workspace; returns its ID.
    pub fn new_workspace(&self, name: &str) -> String {
        let made = self.command(&["workspace", "create", "--name", name, "--plan", "business"]);
        made["id"].as_str().unwrap().to_owned()
    }

    /// Creates a workspace with a key of this scope; returns a client with the key.
    pub fn new_client(&self, name: &str, scope: &str) -> Client {
        self.client().with_key(Some(&self.new_key(&self.new_workspace(name), scope)))
    }

    /// Creates the sandbox of a workspace as this member; returns a client with a key of the sandbox, and its ID.
    pub async fn new_sandbox(&self, member: &Client, workspace: &str) -> (Client, String) {
        let sandbox = member.create(&format!("/platform/workspaces/{workspace}/sandbox"), &Value::Null).await;
        let keys = format!("/platform/workspaces/{sandbox}/api-keys");
        let key = member.post(&keys, &json!({"name": "CI", "scope": "full"})).await.expect(201);
        (self.client().with_key(key["key"].as_str()), sandbox)
    }

    /// Starts the server and waits until it prints its address.
    pub fn serve(&mut self) {
        let mut command = self.program();
        let log = std::fs::OpenOptions::new().create(true).append(true).open(self.folder.join("log")).unwrap();
        let mut child = command.args(["serve", "--json"]).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut said = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let address = loop {
            let read = lines.read_line(&mut said).unwrap();
            assert!(read > 0, "the server did not start: {said} {}", self.log());
            if let Ok(words) = serde_json::from_str::<Value>(&said) {
                break words["address"].as_str().unwrap().to_owned();
            }
        };
        self.base = address;
        self.child = Some(child);
    }

    /// Starts a command; its output is read while it runs.
    pub fn begin(&self, arguments: &[&str]) -> Child {
        self.program().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Limits the number of open files from the next start on.
    pub fn allow_descriptors(&mut self, most: u32) {
        self.wrap(format!("ulimit -n {most} && exec \"$0\" \"$@\""));
    }

    /// Starts the program with these shell lines from now on. In them, `"$0"` is the program and `"$@"` its arguments.
    pub fn wrap(&mut self, wrapper: String) {
        self.wrapper = Some(wrapper);
    }

    pub fn process(&self) -> u32 {
        self.child.as_ref().expect("the server is running").id()
    }

    /// Returns its resident memory in bytes, or 0 on systems without /proc.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|it| it.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or_default() * 1_024
    }

    /// Sends SIGTERM.
    pub fn terminate(&self) {
        self.signal("-TERM");
    }

    /// Sends a signal, with the name that `kill` uses.
    pub fn signal(&self, signal: &str) {
        assert!(Command::new("kill").arg(signal).arg(self.process().to_string()).status().unwrap().success());
    }

    /// Waits until it ends; returns whether it exited successfully.
    pub fn wait(&mut self) -> bool {
        self.child.take().expect("the server is running").wait().unwrap().success()
    }

    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    pub fn client(&self) -> Client {
        Client::new(&self.base, Some(&self.key))
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            let _ = writeln!(std::io::stderr(), "the server's log:\n{}", self.log());
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn unique() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

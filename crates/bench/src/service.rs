//! The service as a child process, configured through the environment.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::http::{Connection, request};

/// An arbitrary key of 32 bytes.
const MASTER_KEY: &str = "c2l4dGVlbiBieXRlcyBhbmQgc2l4dGVlbiBtb3JlISE=";
/// More than any run sends in a minute.
const NO_LIMIT: &str = "4000000000";

#[derive(Debug, Clone)]
pub(crate) struct Program {
    path: PathBuf,
    folder: PathBuf,
    /// Environment variables for settings such as `storage.pool_size=16`.
    settings: Vec<(String, String)>,
}

impl Program {
    /// Returns the program next to this one, or the given one.
    ///
    /// # Errors
    /// The program is missing, or a setting is not `KEY=VALUE`.
    pub(crate) fn find(given: Option<PathBuf>, settings: &[String], folder: &Path) -> Result<Self> {
        let path = match given {
            Some(path) => path,
            None => std::env::current_exe()?.with_file_name("tidings"),
        };
        let path = path.canonicalize().with_context(|| {
            format!(
                "{} is missing: run cargo build --release --package tidings-server --features jemalloc",
                path.display()
            )
        })?;
        let read = |setting: &String| {
            let (key, value) = setting.split_once('=').context("expected --set KEY=VALUE")?;
            Ok((format!("TIDINGS__{}", key.replace('.', "__").to_uppercase()), value.to_owned()))
        };
        let settings = settings.iter().map(read).collect::<Result<_>>()?;
        Ok(Self { path, folder: folder.to_owned(), settings })
    }

    /// Returns another program with default settings, because it may not support the settings of this one.
    ///
    /// # Errors
    /// The program is missing.
    pub(crate) fn other(path: PathBuf, folder: &Path) -> Result<Self> {
        Self::find(Some(path), &[], folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn command(&self, storage: &str) -> Command {
        let mut command = Command::new(&self.path);
        let inherited = std::env::vars().filter(|(name, _)| !name.starts_with("TIDINGS"));
        command.current_dir(&self.folder).env_clear().envs(inherited);
        command
            .env("TIDINGS_ENV", "bench")
            .env("TIDINGS__STORAGE__URL", storage)
            .env("TIDINGS__SECRETS__MASTER_KEY", MASTER_KEY)
            .env("TIDINGS__HTTP__ADDRESS", "127.0.0.1:0")
            .env("TIDINGS__EGRESS__ALLOW_LOOPBACK", "true")
            .env("TIDINGS__LIMITS__PLANS__BUSINESS", NO_LIMIT)
            .envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a command and parses its output.
    ///
    /// # Errors
    /// The command fails.
    pub(crate) fn run(&self, storage: &str, arguments: &[&str]) -> Result<Value> {
        let output = self.command(storage).args(arguments).arg("--json").output()?;
        if !output.status.success() {
            bail!("tidings {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
    }

    /// Starts the service. Its log has the default level and is discarded.
    ///
    /// # Errors
    /// The service does not start.
    pub(crate) fn serve(&self, storage: &str, role: &str, key: &str) -> Result<Service> {
        let mut command = self.command(storage);
        command.args(["serve", "--json", "--role", role]).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = command.spawn().with_context(|| format!("{} does not start", self.path.display()))?;
        let mut service = Service { child, address: None, key: key.to_owned() };
        if role != "engine" {
            let out = service.child.stdout.take().context("its output")?;
            service.address = Some(address(&mut BufReader::new(out)).context("tidings serve did not start")?);
        }
        Ok(service)
    }
}

/// Reads output until it contains the address.
fn address(lines: &mut impl BufRead) -> Result<SocketAddr> {
    let mut said = String::new();
    loop {
        if lines.read_line(&mut said)? == 0 {
            bail!("it ended: {said}");
        }
        if let Ok(words) = serde_json::from_str::<Value>(&said) {
            let address = words.get("address").and_then(Value::as_str).context("where it is")?;
            return Ok(address.trim_start_matches("http://").parse()?);
        }
    }
}

/// A running service. It is killed on drop.
#[derive(Debug)]
pub(crate) struct Service {
    child: Child,
    address: Option<SocketAddr>,
    key: String,
}

impl Service {
    /// Wraps any server that prints its address in the same form.
    ///
    /// # Errors
    /// The server prints no address.
    pub(crate) fn of(child: Child, lines: &mut impl BufRead) -> Result<Self> {
        let mut service = Self { child, address: None, key: String::new() };
        service.address = Some(address(lines)?);
        Ok(service)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns the address of its API.
    ///
    /// # Errors
    /// It has no API.
    pub(crate) fn address(&self) -> Result<SocketAddr> {
        self.address.context("an engine has no API")
    }

    /// Sends one request outside the measurement.
    ///
    /// # Errors
    /// Another status.
    pub(crate) async fn call(&self, method: &str, path: &str, body: &Value, status: u16) -> Result<Value> {
        self.call_as(&self.key, method, path, body, status).await
    }

    async fn call_as(&self, key: &str, method: &str, path: &str, body: &Value, status: u16) -> Result<Value> {
        let mut connection = Connection::open(self.address()?).await?;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut bytes = Vec::new();
        request(method, path, key, "", &body, &mut bytes);
        let answered = tokio::time::timeout(Duration::from_secs(60), connection.exchange(&bytes)).await;
        answered.context("no response within a minute")??.expect(status).with_context(|| format!("{method} {path}"))
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Value> {
        self.call("GET", path, &Value::Null, 200).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value, status: u16) -> Result<Value> {
        self.call("POST", path, body, status).await
    }

    /// Sends a request with the key of another workspace.
    pub(crate) async fn post_as(&self, key: &str, path: &str, body: &Value, status: u16) -> Result<Value> {
        self.call_as(key, "POST", path, body, status).await
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns a text field of a response.
///
/// # Errors
/// The field is missing.
pub(crate) fn word<'v>(value: &'v Value, name: &str) -> Result<&'v str> {
    value.get(name).and_then(Value::as_str).with_context(|| format!("`{name}` in {value}"))
}

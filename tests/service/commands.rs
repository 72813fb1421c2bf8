//! The binary as users run it: first start, second start and failed starts.

mod doctor;
mod elsewhere;
mod forward;
mod listen;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// A working directory for the program, removed at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tidings-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Returns the program with these arguments, on any free port, without this process's environment.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tidings"));
        command.args(arguments).current_dir(&self.0).env_clear().env("TIDINGS__HTTP__ADDRESS", "127.0.0.1:0");
        command.env("TIDINGS__SHUTDOWN__DRAIN", "PT0S");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", said(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn serve(&self) -> Running {
        Running::of(self.command(&["serve", "--json"]), |child| Box::new(child.stdout.take().unwrap()))
    }

    fn file(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A process that has printed its first line.
struct Running {
    child: Child,
    first_line: String,
}

impl Running {
    fn of(mut command: Command, first: impl FnOnce(&mut Child) -> Box<dyn Read>) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first_line = String::new();
        BufReader::new(first(&mut child)).read_line(&mut first_line).unwrap();
        Self { child, first_line }
    }

    /// Asks the process to stop; returns whether it exited successfully.
    fn stop(mut self) -> bool {
        let asked = Command::new("kill").arg("-TERM").arg(self.child.id().to_string()).status().unwrap();
        asked.success() && self.child.wait().unwrap().success()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Sends one request; returns status and body.
fn ask(address: &str, request: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
    let host = address.trim().trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).unwrap();
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    write!(
        stream,
        "{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer.split_once("\r\n\r\n").unwrap().1.to_owned())
}

fn with_key(key: &Value) -> [(&'static str, String); 1] {
    [("Authorization", format!("Bearer {}", key.as_str().unwrap()))]
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[cfg(unix)]
#[test]
fn the_first_start_creates_everything_and_the_second_reuses_it() {
    let place = Place::new("first-start");
    let server = place.serve();
    let made: Value = serde_json::from_str(&server.first_line).unwrap();
    let address = made["address"].as_str().unwrap().to_owned();
    let [(name, value)] = with_key(&made["key"]);
    let (status, me) = ask(&address, "GET /api/v1/me", &[(name, &value)], "");
    assert_eq!(status, 200, "{me}");
    assert!(me.contains("My workspace") && me.contains("full"), "{me}");
    assert_eq!(ask(&address, "GET /readyz", &[], "").0, 200);
    let files = fs::read_dir(place.file("data")).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    for name in ["credentials.json", "master.key", "tidings.db", "tidings.db-wal", "tidings.db-shm", "tidings.db.lock"]
    {
        assert!(names.contains(&name), "{name} {names:?}");
    }
    assert!(files.iter().all(|file| mode(file) == 0o600), "{names:?}");
    assert_eq!(mode(&place.file("data")), 0o700);
    let kept: Value = serde_json::from_slice(&fs::read(place.file("data/credentials.json")).unwrap()).unwrap();
    assert_eq!(kept, made);
    assert!(server.stop(), "the server exits successfully on request");

    let server = place.serve();
    let again: Value = serde_json::from_str(&server.first_line).unwrap();
    assert_eq!(again.as_object().unwrap().keys().collect::<Vec<_>>(), ["address"], "a second start prints no secret");
    assert_eq!(ask(again["address"].as_str().unwrap(), "GET /api/v1/me", &[(name, &value)], "").0, 200);
}

#[cfg(unix)]
#[test]
fn prints_the_panel_address_only_if_the_panel_is_enabled() {
    for (enabled, starts) in [("true", 2), ("false", 1)] {
        let place = Place::new(&format!("first-words-{enabled}"));
        for start in 0..starts {
            let mut command = place.command(&["serve"]);
            command.env("TIDINGS__PANEL__ENABLED", enabled);
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            let last = if start == 0 { "Ctrl-C" } else { "another key" };
            let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
            let mut words = Vec::new();
            for line in lines {
                let is_last = line.contains(last);
                words.push(line);
                if is_last {
                    break;
                }
            }
            child.kill().unwrap();
            child.wait().unwrap();
            let told = words.iter().find(|line| line.contains("anel"));
            assert_eq!(told.is_some(), enabled == "true", "{words:?}");
            assert!(
                told.is_none_or(|line| line.contains("http://127.0.0.1:") && line.contains("password")),
                "{told:?}"
            );
        }
    }
}

#[test]
fn rejects_a_second_server_but_runs_commands() {
    let place = Place::new("one-server");
    let server = place.serve();
    let made: Value = serde_json::from_str(&server.first_line).unwrap();
    let address = made["address"].as_str().unwrap().to_owned();
    let second = place.run(&["serve"]);
    assert_eq!(second.status.code(), Some(1));
    assert!(said(&second).contains("another `tidings serve`"), "{}", said(&second));

    let workspace = place.json(&["workspace", "create", "--name", "Second", "--plan", "pro", "--json"]);
    assert_eq!((&workspace["name"], &workspace["plan"]), (&"Second".into(), &"pro".into()));
    let create = ["key", "create", "--workspace", "Second", "--scope", "read", "--name", "Reader", "--json"];
    let key = place.json(&create);
    let [(name, value)] = with_key(&key["key"]);
    assert_eq!(ask(&address, "GET /api/v1/me", &[(name, &value)], "").0, 200);

    let id = key["id"].as_str().unwrap();
    let listed = place.json(&["key", "list", "--workspace", workspace["id"].as_str().unwrap(), "--json"]);
    assert_eq!((&listed["data"][0]["id"], &listed["data"][0]["key"]), (&id.into(), &Value::Null));
    let revoked = place.json(&["key", "revoke", "--workspace", "Second", id, "--json"]);
    assert!(revoked["revoked_at"].is_string());
    assert_eq!(place.run(&["key", "revoke", "--workspace", "Second", id]).status.code(), Some(1));
    assert_eq!(place.json(&["workspace", "list", "--json"])["data"].as_array().unwrap().len(), 2);
}

#[test]
fn explains_how_to_correct_a_failed_start() {
    let place = Place::new("wrong-starts");
    let refused = |arguments: &[&str], variables: &[(&str, &str)]| {
        let output = place.command(arguments).envs(variables.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        said(&output)
    };
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refusal = refused(&["serve"], &[("TIDINGS__HTTP__ADDRESS", &address)]);
    assert!(refusal.contains("is used by") && refusal.contains("http.address"), "{refusal}");
    assert!(!place.file("data/credentials.json").exists(), "no key is created without being printed");

    let refusal = refused(&["serve"], &[("TIDINGS__HTTP__ADRESS", "127.0.0.1:1")]);
    assert!(refusal.contains("`http.adress`") && refusal.contains("`http.address`"), "{refusal}");
    let refusal = refused(&["serve"], &[("TIDINGS_ENV", "production")]);
    assert!(refusal.contains("openssl rand -base64 32"), "{refusal}");
    let key = ("TIDINGS__SECRETS__MASTER_KEY", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
    let elsewhere = ("TIDINGS__STORAGE__URL", "sqlite://elsewhere.db");
    let refusal = refused(&["serve"], &[("TIDINGS_ENV", "production"), key, elsewhere]);
    assert!(refusal.contains("tidings migrate"), "{refusal}");
    let refusal = refused(&["serve", "--role", "api"], &[]);
    assert!(refusal.contains("PostgreSQL"), "{refusal}");

    fs::remove_file(place.file("data/master.key")).unwrap();
    let refusal = refused(&["serve"], &[]);
    assert!(refusal.contains("master.key is missing"), "{refusal}");
}

#[test]
fn migrates_the_schema_once() {
    let place = Place::new("migrate");
    assert!(place.json(&["migrate", "--json"])["applied"].as_u64() > Some(0));
    assert_eq!(place.json(&["migrate", "--json"])["applied"], 0);
    assert_eq!(place.json(&["workspace", "list", "--json"])["data"], Value::Array(vec![]));
}

#[test]
fn prints_the_openapi_document_without_a_database() {
    let place = Place::new("openapi");
    assert_eq!(place.json(&["openapi"])["openapi"], "3.1.0");
    assert!(!place.file("data").exists());
}

#[test]
fn reports_its_version_and_commit() {
    let output = Place::new("version").run(&["--version"]);
    let version = String::from_utf8(output.stdout).unwrap();
    let commit = version.trim().strip_prefix(concat!("tidings ", env!("CARGO_PKG_VERSION"), " (")).unwrap();
    let commit = commit.strip_suffix(')').unwrap();
    let is_commit = commit.len() == 12 && commit.bytes().all(|it| it.is_ascii_hexdigit());
    assert!(commit == "unknown" || is_commit, "{version}");
}

#[test]
fn prints_only_json_with_json_logs() {
    let place = Place::new("json-logs");
    let mut command = place.command(&["serve"]);
    command.env("TIDINGS__LOG__FORMAT", "json").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let messages =
        lines.map(|line| serde_json::from_str::<Value>(&line).unwrap()["message"].as_str().unwrap().to_owned());
    let mut until_served = Vec::new();
    for message in messages {
        until_served.push(message);
        if until_served.last().is_some_and(|it| it == "serving") {
            break;
        }
    }
    child.kill().unwrap();
    assert!(until_served.iter().any(|it| it.starts_with("created the first workspace")), "{until_served:?}");
    assert_eq!(String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap(), "");
    assert!(place.file("data/credentials.json").exists());
}

#[test]
fn prints_settings_and_rejects_misspelled_ones() {
    let place = Place::new("settings");
    let output = place.command(&["settings"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.trim_end(), include_str!("../../config/default.toml").trim_end());
    let standing = place.json(&["settings", "--json"]);
    let address = standing["settings"].as_array().unwrap().iter().find(|it| it["key"] == "http.address").unwrap();
    assert!(address["value"].is_string(), "{standing}");
    assert!(!place.file("data").exists());
    let mut command = place.command(&["migrate"]);
    let refusal = command.env("TIDINGS_HTTP_ADDRESS", "127.0.0.1:1").output().unwrap();
    assert!(said(&refusal).contains("did you mean `TIDINGS__HTTP__ADDRESS`?"), "{}", said(&refusal));
    assert!(!refusal.status.success());
}

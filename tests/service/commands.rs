//! The binary as users run it: first start, second start, failed starts, and `listen`.
mod elsewhere;
mod forward;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::Clock;
use tidings_webhook_sender::{SigningSecret, sign};

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

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
fn listen_stops_if_the_server_never_answers() {
    let place = Place::new("no-server");
    fs::write(place.file("key"), "tdg_live_none").unwrap();
    let listen = ["listen", "--forward-to", "http://127.0.0.1:9/", "--key-file", "key", "--url", "http://127.0.0.1:1"];
    let output = place.run(&listen);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("http://127.0.0.1:1 has not answered for "), "{}", said(&output));
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

#[test]
fn listen_prints_signed_events_and_rejects_others() {
    let place = Place::new("listen");
    let mut command = place.command(&["listen", "--port", "0", "--json"]);
    command.env("TIDINGS_LISTEN_SECRET", SECRET);
    let mut receiver = Running::of(command, |child| Box::new(child.stderr.take().unwrap()));
    let address = receiver.first_line.split_whitespace().find(|word| word.starts_with("http://")).unwrap();
    let address = address.trim_end_matches(';').to_owned();

    let body = r#"{"id":"evt_1","type":"contact.created"}"#;
    let now = SystemClock.now().unix_seconds();
    let signed = sign(&[SigningSecret::parse(SECRET).unwrap()], "evt_1", now, body.as_bytes());
    let timestamp = now.to_string();
    let headers = |service: &str| {
        [
            ("X-Service-Signature", service.to_owned()),
            ("webhook-id", "evt_1".to_owned()),
            ("webhook-timestamp", timestamp.clone()),
            ("webhook-signature", signed.standard.clone()),
            ("X-Service-Attempt", "1".to_owned()),
        ]
    };
    let post = |service: &str| {
        let headers = headers(service);
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        ask(&address, "POST /any/path", &headers, body).0
    };
    assert_eq!(post(&signed.service), 204);
    assert_eq!(post(&signed.service.replace("v1=", "v1=0")), 400);

    let mut lines = BufReader::new(receiver.child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let (first, second) = (next(), next());
    assert_eq!((&first["verified"], &first["event"]["type"]), (&true.into(), &"contact.created".into()));
    assert_eq!((&second["verified"], second.get("event")), (&false.into(), None));

    let without = place.run(&["listen"]);
    assert!(said(&without).contains("TIDINGS_LISTEN_SECRET"), "{}", said(&without));
}

/// Starts another server program that never responds.
fn somebody_else() -> (std::net::TcpListener, String) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

/// Returns the status and the advice of a check.
fn diagnosis<'r>(report: &'r Value, name: &str) -> (&'r str, &'r str) {
    let checks = report["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == name).expect(name);
    (check["status"].as_str().unwrap(), check["advice"].as_str().unwrap_or_default())
}

#[test]
fn doctor_passes_before_the_first_start_and_creates_nothing() {
    let place = Place::new("doctor-new");
    let report = place.json(&["doctor", "--json"]);
    assert_eq!(report["ok"], true, "{report}");
    assert!(!place.file("data").exists());
    let serving = place.serve();
    let report = place.json(&["doctor", "--json"]);
    assert_eq!(diagnosis(&report, "migrations").0, "ok");
    assert_eq!(diagnosis(&report, "flows").0, "ok");
    let found = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["name"] == "server")
        .expect("the report has a check of the server");
    assert_eq!(found["found"], format!("`tidings serve` (process {}) runs on this database", serving.child.id()));
    drop(serving);
}

#[test]
fn doctor_reports_which_program_uses_the_port() {
    let (here, elsewhere) = (Place::new("doctor-here"), Place::new("doctor-elsewhere"));
    let found = |place: &Place, address: &str| {
        let output = place.command(&["doctor", "--json"]).env("TIDINGS__HTTP__ADDRESS", address).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let check = report["checks"].as_array().unwrap().iter().find(|check| check["name"] == "port").unwrap().clone();
        (check["status"].as_str().unwrap().to_owned(), check["found"].as_str().unwrap().to_owned())
    };
    let serving = here.serve();
    let told: Value = serde_json::from_str(&serving.first_line).unwrap();
    let address = told["address"].as_str().unwrap().trim_start_matches("http://");
    assert_eq!(found(&here, address), ("ok".to_owned(), format!("{address} is served by Tidings")));
    let another = format!("{address} is used by a Tidings server with another database");
    assert_eq!(found(&elsewhere, address), ("wrong".to_owned(), another));

    // A server that does not know `/healthz`.
    let (listener, address) = somebody_else();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 1_024]);
            let _ = stream.write_all(b"HTTP/1.0 404 Not Found\r\n\r\n");
        }
    });
    assert_eq!(found(&here, &address), ("wrong".to_owned(), format!("{address} is used by another program")));
}

#[test]
fn doctor_explains_each_problem_and_prints_no_secret() {
    let place = Place::new("doctor-wrong");
    let (_listener, taken) = somebody_else();
    let mut command = place.command(&["doctor", "--json"]);
    command.env("TIDINGS_ENV", "production").env("TIDINGS__HTTP__ADDRESS", &taken);
    command.env("TIDINGS__STORAGE__URL", "postgres://tidings:hush-hush@127.0.0.1:1/tidings");
    command.env("TIDINGS__REDIS__URL", "redis://:hush-hush@127.0.0.1:1");
    command.env("TIDINGS__METRICS__TOKEN", "hush-hush-hush-hush").env("TIDINGS__EGRESS__ALLOW_LOOPBACK", "true");
    command.env("TIDINGS__MEDIA__STORE", "s3").env("TIDINGS__MEDIA__S3__BUCKET", "files");
    command.env("TIDINGS__MEDIA__S3__ENDPOINT", "http://127.0.0.1:1").env("TIDINGS__MEDIA__S3__PATH_STYLE", "true");
    command.env("TIDINGS__MEDIA__S3__ACCESS_KEY_ID", "key").env("TIDINGS__MEDIA__S3__SECRET_ACCESS_KEY", "hush-hush");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(!said(&output).contains("hush-hush"), "{}", said(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["ok"], false);
    for (name, status, advice) in [
        ("settings", "ok", ""),
        ("master_key", "wrong", "openssl rand -base64 32"),
        ("storage", "wrong", "TIDINGS__STORAGE__URL"),
        ("media", "wrong", "TIDINGS__MEDIA__S3__ENDPOINT"),
        ("egress", "warning", "TIDINGS__EGRESS__ALLOW_LOOPBACK=false"),
        ("port", "wrong", "http.address"),
        ("redis", "wrong", "redis.url"),
    ] {
        let found = diagnosis(&report, name);
        assert!(found.0 == status && found.1.contains(advice), "{name}: {found:?}");
    }
    let settings = report["settings"].as_array().unwrap();
    let value = |key: &str| settings.iter().find(|it| it["key"] == key).unwrap()["value"].as_str().unwrap().to_owned();
    assert_eq!(value("storage.url"), "postgres://tidings:(hidden)@127.0.0.1:1/tidings");
    assert_eq!(value("metrics.token"), "(set, hidden)");
    assert_eq!(value("media.s3.secret_access_key"), "(set, hidden)");
    assert_eq!(value("secrets.master_key"), "(not set)");

    let mut command = place.command(&["doctor"]);
    let output = command.env("TIDINGS__HTTP__ADRESS", "x").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("WRONG") && printed.contains("http.adress"), "{printed}");
}

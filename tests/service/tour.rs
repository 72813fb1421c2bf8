//! The tours of the README and of the first tutorial, executed in a shell: every command runs, every response is
//! compared.
//!
//! A tour is between the marks `tour:begin` and `tour:end`. In it `…` matches any text, and a documented response may
//! omit fields of the actual one. A `console` block is a program that runs in parallel to the shell.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::Store;

/// A document with a tour, and the tour's required content.
struct Tour {
    /// The name of the tour's working directory.
    name: &'static str,
    document: &'static str,
    /// The smallest number of commands with a response.
    min_steps: usize,
    /// Event types that the receiver must have verified.
    events: &'static [&'static str],
}

const README: Tour = Tour {
    name: "readme",
    document: include_str!("../../README.md"),
    min_steps: 4,
    events: &["contact.created", "message.sent"],
};

const FIRST_HOUR: Tour = Tour {
    name: "first-hour",
    document: include_str!("../../docs/tutorials/first-hour.md"),
    min_steps: 12,
    events: &["contact.created", "contact.tag_added", "flow.started", "message.sent", "flow.completed"],
};

const END: &str = "-- end of the answer --";
/// The time during which a query is repeated until its response is as documented.
const PATIENCE: Duration = Duration::from_secs(60);

enum Step {
    /// Commands for the shell, and the documented response of the last one.
    Ask { commands: String, answer: Value },
    /// A program that runs in parallel.
    Beside(String),
}

/// Reads the steps between the tour's marks.
fn steps(document: &str) -> Vec<Step> {
    let tour = document.split("<!-- tour:begin").nth(1).and_then(|rest| rest.split("<!-- tour:end").next()).unwrap();
    let mut steps = Vec::new();
    let mut commands = None;
    for block in tour.split("```").skip(1).step_by(2) {
        let (language, text) = block.split_once('\n').unwrap();
        match language {
            "sh" => commands = Some(text.to_owned()),
            "json" => {
                let answer = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"));
                steps.push(Step::Ask { commands: commands.take().expect("an answer follows commands"), answer });
            }
            "console" => steps.push(Step::Beside(text.trim_start_matches("$ ").trim().to_owned())),
            other => panic!("a block of the unknown language {other}"),
        }
    }
    assert!(commands.is_none(), "the last commands have no answer");
    steps
}

fn holds(promised: &Value, came: &Value) -> bool {
    match (promised, came) {
        (Value::String(promised), Value::String(came)) => match promised.split_once('…') {
            Some((before, after)) => came.starts_with(before) && came.ends_with(after),
            None => promised == came,
        },
        (Value::Array(promised), Value::Array(came)) => {
            promised.len() == came.len() && promised.iter().zip(came).all(|(promised, came)| holds(promised, came))
        }
        (Value::Object(promised), Value::Object(came)) => {
            promised.iter().all(|(name, promised)| came.get(name).is_some_and(|came| holds(promised, came)))
        }
        (promised, came) => promised == came,
    }
}

/// An interactive shell that stays open.
struct Shell {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Shell {
    fn open(folder: &Path, environment: &[(&str, String)]) -> Self {
        let mut child = Command::new("bash")
            .current_dir(folder)
            .envs(environment.iter().map(|(name, value)| (*name, value.as_str())))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("bash is installed");
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, input, lines }
    }

    /// Runs commands and returns their output.
    fn run(&mut self, commands: &str) -> String {
        writeln!(self.input, "{commands}\necho; echo '{END}'").unwrap();
        let mut said = Vec::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60)).expect("the shell responds");
            if line == END {
                return said.join("\n");
            }
            said.push(line);
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Programs that run in parallel to the tour.
struct Beside(Vec<Child>);

impl Drop for Beside {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Creates a folder like a checkout after `make run` has built: the settings and the binary.
fn checkout(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tidings-tour-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("target/debug")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tidings"), folder.join("target/debug/tidings")).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    std::os::unix::fs::symlink(root.join("config"), folder.join("config")).unwrap();
    folder
}

/// Returns the last command of a block, which has the documented response.
fn last_command(commands: &str) -> &str {
    commands.trim_end().rsplit("\n\n").next().unwrap()
}

/// Runs a tour on its own server; `database` keeps the folders of its runs distinct.
fn walk(tour: &Tour, database: &str, environment: &[(&str, String)]) {
    let folder = checkout(&format!("{}-{database}", tour.name));
    let free_port = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let (api, listen) = (free_port(), free_port());
    let here = |text: &str| text.replace("8080", &api).replace("9000", &listen);
    let mut beside = Beside(Vec::new());

    let mut server = Command::new(folder.join("target/debug/tidings"));
    server.current_dir(&folder).arg("serve").env("TIDINGS__HTTP__ADDRESS", format!("127.0.0.1:{api}"));
    server.envs(environment.iter().map(|(name, value)| (*name, value.as_str())));
    let mut server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let welcome = BufReader::new(server.stdout.take().unwrap());
    beside.0.push(server);
    let ready = welcome.lines().map_while(Result::ok).any(|line| line.contains("Press Ctrl-C to stop"));
    assert!(ready, "the first start ends with the welcome text");

    let mut shell = Shell::open(&folder, environment);
    let printed = Arc::new(Mutex::new(Vec::new()));
    let mut asked = 0;
    for step in steps(tour.document) {
        match step {
            Step::Beside(command) => {
                let mut child = Command::new("bash");
                child.current_dir(&folder).args(["-c", &format!("exec {}", here(&command))]);
                let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
                let mut first = String::new();
                BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut first).unwrap();
                assert!(first.contains(&listen), "the server prints its address: {first}");
                let (output, printed) = (child.stdout.take().unwrap(), printed.clone());
                std::thread::spawn(move || {
                    for line in BufReader::new(output).lines().map_while(Result::ok) {
                        printed.lock().unwrap().push(line);
                    }
                });
                beside.0.push(child);
            }
            Step::Ask { commands, answer } => {
                asked += 1;
                let commands = here(&commands);
                let promised: Value = serde_json::from_str(&here(&answer.to_string())).unwrap();
                let mut said = shell.run(&commands);
                let began = Instant::now();
                // Queries are repeated, as the documentation says, because some effects appear a moment later.
                let is_question = !last_command(&commands).contains(" -d ") && !last_command(&commands).contains("-X");
                while is_question && began.elapsed() < PATIENCE && !matches(&promised, &said) {
                    said = shell.run(last_command(&commands));
                }
                assert!(matches(&promised, &said), "after\n{commands}\nexpected {promised:#}\ngot {said}");
            }
        }
    }
    assert!(asked >= tour.min_steps, "the tour has its steps");
    let began = Instant::now();
    for kind in tour.events {
        let is_verified =
            || printed.lock().unwrap().iter().any(|line| line.contains("verified") && line.contains(*kind));
        while !is_verified() && began.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(is_verified(), "the receiver verified {kind}: {:#?}", printed.lock().unwrap());
    }
    drop(beside);
    std::fs::remove_dir_all(&folder).unwrap();
}

fn matches(promised: &Value, said: &str) -> bool {
    serde_json::from_str(said.trim()).is_ok_and(|came: Value| holds(promised, &came))
}

fn walk_on_sqlite(tour: &Tour) {
    walk(tour, "sqlite", &[]);
}

async fn walk_on_postgresql(tour: &'static Tour) {
    let store = Store::postgres().await;
    let url = store.url();
    tokio::task::spawn_blocking(move || {
        walk(
            tour,
            "postgresql",
            &[
                ("TIDINGS__STORAGE__URL", url),
                ("TIDINGS__SECRETS__MASTER_KEY", crate::support::server::MASTER_KEY.to_owned()),
            ],
        )
    })
    .await
    .unwrap();
}

#[test]
fn the_tour_of_the_readme_works_on_sqlite() {
    walk_on_sqlite(&README);
}

#[test]
fn the_first_hour_works_on_sqlite() {
    walk_on_sqlite(&FIRST_HOUR);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tour_of_the_readme_works_on_postgresql() {
    walk_on_postgresql(&README).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_hour_works_on_postgresql() {
    walk_on_postgresql(&FIRST_HOUR).await;
}

#[test]
fn recognises_an_answer_that_differs_from_the_document() {
    let promised = serde_json::json!({"id": "tag_…", "name": "vip", "list": [{"a": 1}]});
    assert!(holds(
        &promised,
        &serde_json::json!({"id": "tag_1", "name": "vip", "list": [{"a": 1, "b": 2}], "more": 1})
    ));
    assert!(!holds(&promised, &serde_json::json!({"id": "flow_1", "name": "vip", "list": [{"a": 1}]})));
    assert!(!holds(&promised, &serde_json::json!({"id": "tag_1", "name": "vip", "list": []})));
    assert!(!holds(&promised, &serde_json::json!({"id": "tag_1", "list": [{"a": 1}]})));
}

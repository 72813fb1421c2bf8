//! `tidings demo` with a server that is killed with -9 repeatedly: nothing is lost or duplicated.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::Child;

use serde_json::Value;

use crate::support::{Server, Store};

/// The steps after which the server is killed: while the flow waits for a reply, while deliveries are in progress, and
/// while the run and the enrollment wait for their time.
const KILLS: [&str; 4] = [
    "subscribed a receiver to all events",
    "the flow replied, and asked for an email address",
    "the contact replied with an email address",
    "the flow saved the reply",
];

/// Returns a free address. The server must restart at the address that the demo uses.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// Runs the demo and calls `break_down` after each of [`KILLS`]; returns the result.
fn play(server: &mut Server, mut break_down: impl FnMut(&mut Server)) -> Value {
    let mut demo: Child = server.begin(&["demo", "--json"]);
    let mut said = String::new();
    let mut killed = 0;
    for line in BufReader::new(demo.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let words: Value = serde_json::from_str(&line).unwrap();
        if KILLS.iter().any(|step| words["step"].as_str().is_some_and(|it| it.starts_with(step))) {
            break_down(server);
            killed += 1;
        }
        said = line;
    }
    let mut complaint = String::new();
    demo.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert!(demo.wait().unwrap().success(), "the demo failed: {said}\n{complaint}\n{}", server.log());
    assert_eq!(killed, KILLS.len(), "the server was killed during the demo");
    serde_json::from_str(&said).unwrap()
}

fn ended_well(outcome: &Value) {
    // The greeting, the question twice, the thanks, and the step of the sequence.
    assert_eq!(outcome["messages"], 5, "{outcome}");
    assert!(outcome["events"].as_u64().unwrap() >= 12, "{outcome}");
    println!("{outcome}");
}

#[tokio::test]
async fn the_demo_completes_on_sqlite_despite_kills() {
    let address = free_address();
    let mut server = Server::start(Store::sqlite().await, &[("TIDINGS__HTTP__ADDRESS", &address)]);
    let outcome = play(&mut server, |server| {
        server.kill();
        server.serve();
    });
    ended_well(&outcome);
}

#[tokio::test]
async fn the_demo_completes_on_postgresql_despite_kills_of_both() {
    let address = free_address();
    let settings = [("TIDINGS__HTTP__ADDRESS", address.as_str())];
    let mut server = Server::start(Store::postgres().await, &settings);
    let mut second = Second::start(&server);
    let mut first_s_turn = true;
    let outcome = play(&mut server, |server| {
        if first_s_turn {
            server.kill();
            server.serve();
        } else {
            second.kill();
            second = Second::start(server);
        }
        first_s_turn = !first_s_turn;
    });
    ended_well(&outcome);
}

/// A second process on the same database that processes due work.
struct Second(Child);

impl Second {
    fn start(server: &Server) -> Self {
        Self(server.begin(&["serve", "--role", "engine", "--json"]))
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

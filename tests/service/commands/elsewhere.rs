//! Commands in a folder that is not the server's: they create no second database, and report which server they did not
//! find.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Place, said};

/// The parts of the error message if there is no database.
const ABSENT: [&str; 4] =
    ["there is no database at /", "data/tidings.db (storage.url)", "TIDINGS__STORAGE__URL", "`tidings serve`"];

fn refusal(place: &Place, arguments: &[&str]) -> String {
    let output = place.run(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", said(&output));
    said(&output)
}

#[cfg(unix)]
#[test]
fn commands_create_no_missing_database() {
    let place = Place::new("no-database");
    for line in [
        "workspace list",
        "workspace create --name Acme",
        "user create --email ada@example.com --workspace Acme --role owner",
        "user password --email ada@example.com",
        "user reset-link --email ada@example.com",
        "key create --workspace Acme --scope full --name backend",
        "key list --workspace Acme",
        "secrets reseal",
        "outbound hold",
        "outbound show",
        "jobs list",
        "import contacts people.csv --workspace Acme",
    ] {
        let refusal = refusal(&place, &line.split(' ').collect::<Vec<_>>());
        assert!(ABSENT.iter().all(|words| refusal.contains(words)), "{line}: {refusal}");
        assert!(!place.file("data").exists(), "{line}");
    }
}

#[test]
fn the_demo_reports_a_missing_server_within_seconds() {
    let place = Place::new("demo-nobody");
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_at = silent.local_addr().unwrap().to_string();
    for (address, why) in [(silent_at.as_str(), "no response within 5 s"), ("127.0.0.1:1", "refused")] {
        let began = Instant::now();
        let refusal = refusal(&place, &["demo", "--url", &format!("http://{address}/")]);
        let told = format!("no server responds at http://{address}: ");
        for words in [told.as_str(), why, "`tidings serve`", "--url"] {
            assert!(refusal.contains(words), "{words}: {refusal}");
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    }
    let wrong = refusal(&place, &["demo", "--url", "localhost"]);
    assert!(wrong.contains("http://127.0.0.1:8080"), "{wrong}");
    assert!(!place.file("data").exists());
}

#[cfg(unix)]
#[test]
fn the_demo_reports_that_the_server_uses_another_database() {
    let (place, elsewhere) = (Place::new("demo-server"), Place::new("demo-elsewhere"));
    let server = place.serve();
    let made: Value = serde_json::from_str(&server.first_line).unwrap();
    let demo = ["demo", "--url", made["address"].as_str().unwrap()];
    let absent = refusal(&elsewhere, &demo);
    assert!(ABSENT.iter().all(|words| absent.contains(words)), "{absent}");
    assert!(!elsewhere.file("data").exists());

    elsewhere.json(&["migrate", "--json"]);
    let other = refusal(&elsewhere, &demo);
    for words in ["uses another database", demo[2], "data/tidings.db", "TIDINGS__STORAGE__URL"] {
        assert!(other.contains(words), "{words}: {other}");
    }
}

//! `tidings doctor`, which reports problems of a configuration.

use std::io::{Read, Write};
use std::net::TcpListener;

use serde_json::Value;

use super::{Place, said};

/// Starts another server program that never responds.
fn somebody_else() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
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

//! Findings of `tidings doctor` in a database in use.

use std::net::TcpListener;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tidings_storage_suite::databases::{SqliteFile, run};

use super::holding::check;
use crate::support::{Client, Server, Store};

const CLI: &str = include_str!("../../../docs/reference/cli.md");

/// The state after the upgrade of two spellings of one address to 0.5.0: the older contact has the current key.
const TWO_SPELLINGS: [&str; 2] = [
    "UPDATE contacts SET email = 'ada@münchen.de', email_written = 'ada@xn--mnchen-3ya.de' WHERE external_id = 'older'",
    "UPDATE contacts SET email = 'ada@xn--mnchen-3ya.de', email_written = 'ada@münchen.de', \
     same_email_as = (SELECT id FROM contacts WHERE external_id = 'older') WHERE external_id = 'younger'",
];
/// A version published by an earlier release, with a secret in an expression.
const SECRET_IN_AN_EXPRESSION: &str = "UPDATE flow_versions SET definition = \
     replace(definition, '{{ secrets.SHOP_TOKEN }}', '{{ secrets.SHOP_TOKEN|upper }}') WHERE number = 1";
/// A version published by an earlier release, with a filter that is no longer allowed.
const REFUSED_FILTER: &str = "UPDATE flow_versions SET definition = \
     replace(definition, '{{ contact.first_name }}', '{{ contact.first_name|indent(9) }}') WHERE number = 1";
/// Sets the clock of the database back by an hour. The function precedes PostgreSQL's in the search path.
const SLOW_CLOCK: &str = "CREATE SCHEMA skewed; \
     CREATE FUNCTION skewed.now() RETURNS timestamptz LANGUAGE sql AS \
     'SELECT clock_timestamp() - interval ''1 hour'''; \
     DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = skewed, public, pg_catalog', \
     current_database()); END $$";

fn checks(server: &Server) -> Vec<Value> {
    let report = server.begin(&["doctor", "--json"]).wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    report["checks"].as_array().unwrap().clone()
}

fn looked_at(server: &Server, name: &str) -> Value {
    checks(server).into_iter().find(|it| it["name"] == name).unwrap()
}

#[track_caller]
fn expect(server: &Server, name: &str, status: &str, found: &str) {
    let check = looked_at(server, name);
    assert_eq!((&check["status"], &check["found"]), (&json!(status), &json!(found)), "{name}");
}

/// Returns the checks in the documentation's table.
fn documented() -> Vec<&'static str> {
    let section = CLI.split("\n## tidings doctor\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2)).collect()
}

/// Returns a flow that sends a text and calls a service with a secret.
fn definition(text: &str) -> Value {
    json!({"start": "hello", "nodes": [
        {"id": "hello", "type": "send_message", "message": {"type": "text", "text": text}, "next": "call"},
        {"id": "call", "type": "http_request", "method": "POST", "url": "https://api.example.com/",
         "headers": {"Authorization": "Bearer {{ secrets.SHOP_TOKEN }}"}, "save": {"status": "status"},
         "next": "end", "on_error": "failed"},
        {"id": "failed", "type": "set_field", "field": "vars.failed", "value": true, "next": "end"},
        {"id": "end", "type": "end"}]})
}

async fn publish(client: &Client, flow: &str) {
    client.post(&format!("/api/v1/flows/{flow}/publish"), &json!({})).await.expect(200);
}

/// Publishes another version of a flow.
async fn publish_next(client: &Client, flow: &str) {
    let body = json!({"definition": definition("Hello {{ contact.first_name }}")});
    client.call("PATCH", &format!("/api/v1/flows/{flow}"), Some(&body)).await.expect(200);
    publish(client, flow).await;
}

/// Publishes one version of a flow, and two versions of another flow; returns the ID of the first flow.
async fn publish_flows(client: &Client) -> String {
    let secret = json!({"value": "the shop gave us this", "hosts": ["api.example.com"]});
    client.call("PUT", "/api/v1/secrets/SHOP_TOKEN", Some(&secret)).await.expect(201);
    let mut flows = Vec::new();
    for name in ["One version", "Two versions"] {
        let body = json!({"name": name, "definition": definition("Hi {{ contact.first_name }}")});
        let flow = client.create("/api/v1/flows", &body).await;
        publish(client, &flow).await;
        flows.push(flow);
    }
    publish_next(client, &flows[1]).await;
    flows.swap_remove(0)
}

/// Every part of the program that reports it names the folder. Other requests work.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_a_folder_of_files_that_cannot_be_written() {
    let folder = "/dev/null/media";
    let server = Server::start(Store::sqlite().await, &[("TIDINGS__MEDIA__FOLDER", folder)]);
    let name = format!("the folder of files {folder} (media.folder): ");
    let found = looked_at(&server, "media");
    assert!(found["status"] == "wrong" && found["found"].as_str().unwrap().starts_with(&name), "{found}");
    assert!(found["advice"].as_str().unwrap().contains("TIDINGS__MEDIA__FOLDER"), "{found}");

    let client = server.client();
    let ready = client.until("/readyz", |ready| check(ready, "media")["status"] == "warning").await;
    let detail = check(&ready, "media")["detail"].as_str().unwrap();
    assert!(detail.starts_with(&format!("files cannot be stored: {name}")), "{detail}");
    let refused = client.send("POST", "/api/v1/media?name=a.txt", &[], Some(b"hello".to_vec())).await.unwrap();
    assert_eq!(refused.expect(503)["code"], "unavailable");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_webhooks_that_the_settings_forbid() {
    let mut server = Server::start(Store::sqlite().await, &[]);
    for url in ["http://127.0.0.1:9/hook", "https://example.com/hook"] {
        let body = json!({"url": url, "events": ["contact.created"]});
        server.client().post("/api/v1/webhooks", &body).await.expect(201);
    }
    assert_eq!(looked_at(&server, "webhooks")["status"], "ok");
    server.kill();
    server.set("TIDINGS__EGRESS__ALLOW_LOOPBACK", "false");
    let found = looked_at(&server, "webhooks");
    let told = found["found"].as_str().unwrap();
    assert!(found["status"] == "warning" && told.starts_with("1 of 2 active webhooks may not be called"), "{found}");
    assert!(told.contains("egress.allow_loopback"), "{found}");
}

/// A clean database in use has no finding, and the documentation lists each check.
async fn finds_nothing_in_a_clean_database(store: Store) {
    let mut server = Server::start(store, &[]);
    let client = server.client();
    publish_flows(&client).await;
    for email in ["ada@münchen.de", "ada@example.com"] {
        client.post("/api/v1/contacts", &json!({"email": email})).await.expect(201);
    }
    let hook = json!({"url": "https://example.com/hook", "events": ["contact.created"]});
    client.post("/api/v1/webhooks", &hook).await.expect(201);

    server.set("TIDINGS__EGRESS__ALLOW_LOOPBACK", "false");
    server.set("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example.com");
    server.set("TIDINGS__METRICS__ADDRESS", "127.0.0.1:0");
    let checks = checks(&server);
    assert!(checks.iter().all(|check| check["status"] == "ok"), "{checks:#?}");
    let mut names: Vec<&str> = checks.iter().map(|check| check["name"].as_str().unwrap()).collect();
    let documented = documented();
    assert!(names.iter().all(|name| documented.contains(name)), "{names:?} {documented:?}");
    // Only SQLite has this check.
    names.retain(|name| *name != "server");
    let expected = [
        "settings",
        "master_key",
        "storage",
        "clock",
        "migrations",
        "outbound",
        "secret_uses",
        "flows",
        "emails",
        "webhooks",
        "channels",
        "stored_bytes",
        "secrets",
        "media",
        "egress",
        "public_url",
        "port",
        "metrics",
    ];
    assert_eq!(names, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_channels_with_problems() {
    let store = Store::postgres().await;
    let url = store.url();
    let server = Server::start(store, &[]);
    let channels = server.client().get("/api/v1/channels").await.expect(200);
    let channel = channels["data"][0]["id"].as_str().unwrap();
    expect(&server, "channels", "ok", "no problem of 1 channels at their providers is known");
    run(&url, "UPDATE channels SET waits_until = created_at").await;
    let problem = format!("{channel} ({}, messages wait for the provider)", server.workspace);
    let found = format!("1 of 1 channels have problems at their providers: {problem}");
    expect(&server, "channels", "warning", &found);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_contacts_with_two_spellings_of_one_address() {
    let store = Store::postgres().await;
    let url = store.url();
    let server = Server::start(store, &[]);
    let client = server.client();
    let mut contacts = Vec::new();
    for name in ["older", "younger", "other"] {
        let body = json!({"external_id": name, "email": format!("{name}@example.com")});
        let made = client.post("/api/v1/contacts", &body).await.expect(201);
        contacts.push(made["id"].as_str().unwrap().to_owned());
    }
    let (older, younger) = (&contacts[0], &contacts[1]);
    let none = "no two contacts have the same address in different spellings";
    expect(&server, "emails", "ok", none);

    for statement in TWO_SPELLINGS {
        run(&url, statement).await;
    }
    let pair = format!("{older} and {younger} ({})", server.workspace);
    let found = format!("contacts with the same address in different spellings: {pair}");
    expect(&server, "emails", "warning", &found);

    // The advice of the report.
    let merge = format!("/api/v1/contacts/{younger}/merge");
    client.post(&merge, &json!({"into": older})).await.expect(200);
    expect(&server, "emails", "ok", none);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_published_versions_with_a_secret_in_an_expression() {
    let store = Store::postgres().await;
    let url = store.url();
    let server = Server::start(store, &[]);
    let client = server.client();
    let flow = publish_flows(&client).await;
    let listed = async || {
        let page = client.get("/api/v1/flows?finding=secret_not_bare").await.expect(200);
        page["data"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let none = "published flows use secrets correctly";
    expect(&server, "secret_uses", "ok", none);
    assert_eq!(listed().await, Vec::<String>::new());

    // The other flow has such a version, too, but its published version is newer.
    run(&url, SECRET_IN_AN_EXPRESSION).await;
    let found = "1 published flows use a secret in an expression, so their calls fail with secret_not_bare";
    expect(&server, "secret_uses", "warning", &format!("{found}: {flow} of {}", server.workspace));
    assert_eq!(listed().await, [flow.as_str()]);

    publish_next(&client, &flow).await;
    expect(&server, "secret_uses", "ok", none);
    assert_eq!(listed().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_published_flows_with_invalid_texts() {
    let store = Store::postgres().await;
    let url = store.url();
    let server = Server::start(store, &[]);
    let client = server.client();
    let flow = publish_flows(&client).await;
    let none = "the texts of all 2 published flows can be rendered";
    expect(&server, "flows", "ok", none);
    run(&url, REFUSED_FILTER).await;
    expect(&server, "flows", "warning", "1 of 2 published flows have texts that cannot be rendered; their runs fail");
    publish_next(&client, &flow).await;
    expect(&server, "flows", "ok", none);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_paused_outbound_traffic() {
    let mut server = Server::provision(Store::sqlite().await, &[]);
    expect(&server, "outbound", "ok", "outbound sending is enabled");
    server.command(&["outbound", "hold", "--reason", "a wrong import"]);
    let check = looked_at(&server, "outbound");
    let found = check["found"].as_str().unwrap();
    assert_eq!(check["status"], "warning", "{check}");
    assert!(found.starts_with("outbound sending is paused since ") && found.ends_with(": a wrong import"), "{check}");
    server.command(&["outbound", "send"]);
    expect(&server, "outbound", "ok", "outbound sending is enabled");
    server.set("TIDINGS__ENGINE__OUTBOUND", "hold");
    expect(&server, "outbound", "warning", "the setting engine.outbound pauses outbound sending");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn describes_the_addresses_and_networks_of_the_settings() {
    let mut server = Server::provision(Store::sqlite().await, &[]);
    let unset = "http.public_url is not set: links in responses are relative, and invitations have no link";
    expect(&server, "public_url", "warning", unset);
    server.set("TIDINGS__HTTP__PUBLIC_URL", "http://tidings.example.com");
    let plain = "http.public_url does not use https: browsers do not stay signed in";
    expect(&server, "public_url", "warning", plain);
    server.set("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example.com");
    expect(&server, "public_url", "ok", "browsers stay signed in");

    server.set("TIDINGS__EGRESS__ALLOWED_NETWORKS", "10.20.0.0/16,192.168.7.0/24");
    let networks = "webhooks, channels and flows can also call 10.20.0.0/16, 192.168.7.0/24 (egress.allowed_networks)";
    expect(&server, "networks", "ok", networks);
    server.set("TIDINGS__EGRESS__PLAIN_HTTP_HOSTS", "backend.internal");
    expect(&server, "plain_http", "ok", "calls without TLS are allowed to backend.internal (egress.plain_http_hosts)");

    server.set("TIDINGS__EGRESS__EXTRA_CA_FILE", "/nowhere/ca.pem");
    let missing = "egress.extra_ca_file: /nowhere/ca.pem: No such file or directory (os error 2)";
    expect(&server, "authorities", "wrong", missing);
    let place = SqliteFile::new();
    let file = place.folder().join("ca.pem");
    server.set("TIDINGS__EGRESS__EXTRA_CA_FILE", file.to_str().unwrap());
    std::fs::write(&file, "no certificate").unwrap();
    let check = looked_at(&server, "authorities");
    assert!(check["found"].as_str().unwrap().contains("it contains no certificate: expected PEM"), "{check}");
    let body = STANDARD.encode(include_bytes!("../../../crates/egress/src/testdata/receiver.test.crt"));
    std::fs::write(&file, format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n")).unwrap();
    let trusted = "outgoing connections also trust 1 certificate (egress.extra_ca_file)";
    expect(&server, "authorities", "ok", trusted);

    let program = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = program.local_addr().unwrap().to_string();
    server.set("TIDINGS__METRICS__ADDRESS", &address);
    expect(&server, "metrics", "wrong", &format!("{address} is used by another program"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_a_database_with_a_slow_clock() {
    let store = Store::postgres().await;
    let url = store.url();
    let server = Server::provision(store, &[]);
    expect(&server, "clock", "ok", "the clocks of this machine and of the database match");
    run(&url, SLOW_CLOCK).await;
    let check = looked_at(&server, "clock");
    let found = check["found"].as_str().unwrap();
    assert_eq!(check["status"], "wrong", "{check}");
    assert!(found.starts_with("the clocks of this machine and of the database differ by 3"), "{check}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn distinguishes_servers_of_two_postgresql_databases() {
    let mut here = Server::start(Store::postgres().await, &[]);
    let mut elsewhere = Server::provision(Store::postgres().await, &[]);
    let address = here.base.trim_start_matches("http://").to_owned();
    for server in [&mut here, &mut elsewhere] {
        server.set("TIDINGS__HTTP__ADDRESS", &address);
    }
    expect(&here, "port", "ok", &format!("{address} is served by Tidings"));
    let another = format!("{address} is used by a Tidings server with another database");
    expect(&elsewhere, "port", "wrong", &another);
}

on_both! {
    finds_nothing_in_a_clean_database,
}

//! The clock of a sandbox: a week passes in a second.

use serde_json::{Value, json};

use crate::support::people::Person;
use crate::support::{Client, Server};

/// Creates a sandbox of a new workspace; returns a client with its key, a client with the member's token, and the
/// sandbox's path.
async fn sandbox(server: &Server, name: &str) -> (Client, Client, String) {
    let workspace = server.new_workspace(name);
    let person = Person::new(server, &workspace, "admin").client(server).await;
    let (client, _) = server.new_sandbox(&person, &workspace).await;
    (client, person, format!("/platform/workspaces/{workspace}"))
}

fn instant(text: &Value) -> i64 {
    text.as_str().unwrap().parse::<tidings_domain::time::Timestamp>().unwrap().millis()
}

const DAY: i64 = 86_400_000;

async fn advance(client: &Client, by: &str) -> Value {
    let moved = client.post("/api/v1/sandbox/clock", &json!({"advance": by})).await.expect(200);
    assert_eq!(moved["arrived"], json!(true), "{moved}");
    moved
}

/// Returns the messages to a contact, oldest first, with their days since the beginning.
async fn said(client: &Client, began: i64) -> Vec<(String, i64)> {
    let channel = client.get("/api/v1/channels").await.expect(200)["data"][0]["id"].as_str().unwrap().to_owned();
    let captured = client.get(&format!("/api/v1/channels/{channel}/captured")).await.expect(200);
    let mut said = captured["data"].as_array().unwrap().to_vec();
    said.sort_by_key(|it| instant(&it["created_at"]));
    said.iter()
        .map(|it| (it["text"].as_str().unwrap().to_owned(), (instant(&it["created_at"]) - began) / DAY))
        .collect()
}

/// One request processes a week of delays and sequence steps, each at its own time; a second request continues after
/// it.
pub async fn advances_the_clock_by_a_week_in_one_request(server: &Server) {
    let (client, _, _) = sandbox(server, "A week").await;
    let began = instant(&client.get("/api/v1/sandbox/clock").await.expect(200)["now"]);
    let say = |id: &str, text: &str, next: &str| json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": next});
    let wait = |id: &str, next: &str| json!({"id": id, "type": "delay", "for": "P2D", "next": next});
    let definition = json!({"start": "a", "nodes": [
        say("a", "at once", "b"), wait("b", "c"), say("c", "two days", "d"), wait("d", "e"), say("e", "four days", "f"),
        {"id": "f", "type": "delay", "for": "P10D", "next": "g"}, say("g", "two weeks", "end"),
        {"id": "end", "type": "end"},
    ]});
    let flow = client.publish_flow("Series", &definition).await;
    client.post("/api/v1/contacts", &json!({"external_id": "ada"})).await.expect(201);
    let start = json!({"flow_id": flow});
    client.post("/api/v1/contacts/external_id:ada/start-flow", &start).await.expect(202);

    let moved = advance(&client, "P7D").await;
    assert!(moved["steps"].as_i64().unwrap() >= 2, "{moved}");
    let after = instant(&moved["now"]) - began;
    assert!((7 * DAY..7 * DAY + 60_000).contains(&after), "{moved}");
    let texts = |said: Vec<(String, i64)>| -> Vec<_> { said.into_iter().collect() };
    let first = [("at once", 0), ("two days", 2), ("four days", 4)].map(|(text, day)| (text.to_owned(), day));
    assert_eq!(texts(said(&client, began).await), first);
    // New objects are created on that day, and waiting work runs at its own time.
    let bob = client.post("/api/v1/contacts", &json!({"external_id": "bob"})).await.expect(201);
    assert_eq!((instant(&bob["created_at"]) - began) / DAY, 7);
    advance(&client, "P6D").await;
    assert_eq!(said(&client, began).await.len(), 3);
    advance(&client, "P1DT1H").await;
    assert_eq!(said(&client, began).await.last(), Some(&("two weeks".to_owned(), 14)));
    let clock = client.get("/api/v1/sandbox/clock").await.expect(200);
    assert!(clock["ahead_seconds"].as_i64().unwrap() > 14 * 86_400, "{clock}");
}

/// Only sandboxes have a clock, it never moves back, and a repeated request moves it once.
pub async fn a_repeated_request_moves_the_clock_once_and_never_back(server: &Server) {
    let (client, person, platform) = sandbox(server, "Once").await;
    let path = "/api/v1/sandbox/clock";
    let body = json!({"advance": "P1D"}).to_string().into_bytes();
    let headers = [("content-type", "application/json"), ("idempotency-key", "monday")];
    let first = client.send("POST", path, &headers, Some(body.clone())).await.unwrap().expect(200);
    let again = client.send("POST", path, &headers, Some(body)).await.unwrap().expect(200);
    assert_eq!(first, again);
    for (wrong, pointer, code) in [
        (json!({}), "", "one_of"),
        (json!({"advance": "P1D", "until": "2030-01-01T00:00:00Z"}), "", "one_of"),
        (json!({"until": "2020-01-01T00:00:00Z"}), "/until", "in_the_past"),
        (json!({"until": "2999-01-01T00:00:00Z"}), "/until", "out_of_range"),
        (json!({"advance": "P9999D"}), "/advance", "invalid_format"),
        (json!({"advance": "-P1D"}), "/advance", "invalid_format"),
    ] {
        let refused = client.post(path, &wrong).await.expect(422);
        let error = &refused["errors"][0];
        assert_eq!((&error["pointer"], &error["code"]), (&json!(pointer), &json!(code)), "{wrong}: {refused}");
    }
    let live = server.new_workspace("Live");
    let live = server.client().with_key(Some(&server.new_key(&live, "full")));
    assert_eq!(live.get(path).await.expect(200)["ahead_seconds"], json!(0));
    let refused = live.post("/api/v1/sandbox/reset", &Value::Null).await.expect(409);
    assert_eq!(refused["code"], "not_a_sandbox");
    let moved = person.post(&format!("{platform}/sandbox/clock"), &json!({"advance": "P1D"})).await.expect(200);
    assert!(moved["ahead_seconds"].as_i64().unwrap() > 2 * 86_400 - 60, "{moved}");
    assert_eq!(person.get(&format!("{platform}/sandbox/clock")).await.expect(200)["arrived"], json!(true));
}

/// A contact's message has the time of the sandbox's clock. A reset keeps the channel and the keys.
pub async fn a_sandbox_is_emptied(server: &Server) {
    let (client, _, _) = sandbox(server, "Emptied").await;
    let began = instant(&client.get("/api/v1/sandbox/clock").await.expect(200)["now"]);
    advance(&client, "P3D").await;
    let said = json!({"contact": "ada", "text": "Hello"});
    let message = client.post("/api/v1/sandbox/inbound", &said).await.expect(202);
    assert_eq!((instant(&message["created_at"]) - began) / DAY, 3);
    client.post("/api/v1/tags", &json!({"name": "vip"})).await.expect(201);
    let hook = json!({"url": "https://example.com/hook", "events": ["*"]});
    client.post("/api/v1/webhooks", &hook).await.expect(201);
    let clock = client.post("/api/v1/sandbox/reset", &Value::Null).await.expect(200);
    assert_eq!((&clock["ahead_seconds"], &clock["arrived"]), (&json!(0), &json!(true)));
    for list in ["contacts", "tags", "webhooks", "conversations", "events", "flows"] {
        let left = client.get(&format!("/api/v1/{list}")).await.expect(200);
        assert_eq!(left["data"], json!([]), "{list}");
    }
    // After a reset, new objects have the current time and create events as before.
    let again = client.post("/api/v1/sandbox/inbound", &said).await.expect(202);
    assert_eq!((instant(&again["created_at"]) - began) / DAY, 0);
    assert_ne!(again["contact_id"], message["contact_id"]);
    client.post("/api/v1/tags", &json!({"name": "vip"})).await.expect(201);
    advance(&client, "PT1M").await;
    client.until("/api/v1/events", |page| page["data"].as_array().is_some_and(|it| !it.is_empty())).await;
}

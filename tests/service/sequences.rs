//! A sequence on the whole server: steps run in order and once.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Client, Receiver, Server, Store, receiver::Received};

fn send(id: &str, delay: &str) -> Value {
    let message = json!({"type": "text", "text": format!("{id} for {{{{ contact.first_name }}}}")});
    json!({"id": id, "delay": delay, "action": {"type": "send_message", "message": message}})
}

fn id(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

async fn sequence(client: &Client, steps: Value) -> String {
    let body = json!({"name": "Drip", "status": "active", "reenroll": "always", "steps": steps});
    id(&client.post("/api/v1/sequences", &body).await.expect(201))
}

async fn contact(client: &Client, name: &str) -> String {
    let made = client.post("/api/v1/contacts", &json!({"first_name": name})).await.expect(201);
    format!("/api/v1/contacts/{}", id(&made))
}

async fn runs_steps_in_order_and_once(store: Store) {
    let mut server = Server::start(store, &[]);
    let misspelled = json!({"type": "send_message", "message": {"type": "text", "text": "{{ contact.frist_name }}"}});
    let body = json!({"name": "Drip", "steps": [{"id": "a", "delay": "PT0S", "action": misspelled}]});
    let error = server.client().post("/api/v1/sequences", &body).await.expect(422)["errors"][0].clone();
    let told = (error["pointer"].clone(), error["code"].clone());
    assert_eq!(told, (json!("/steps/0/action/message/text"), json!("unknown_name")), "{error}");
    let (client, receiver) = (server.client(), Receiver::start());
    let hook = json!({"url": receiver.url, "events": ["sequence.enrolled", "sequence.completed"]});
    client.post("/api/v1/webhooks", &hook).await.expect(201);
    let steps = json!([send("hello", "PT0S"), send("tips", "PT2S"), send("bye", "PT0.5S")]);
    let drip = sequence(&client, steps).await;
    let ada = contact(&client, "Ada").await;
    let path = format!("{ada}/sequences/{drip}");

    // Of several concurrent requests, one creates the enrollment.
    let asked = futures::future::join_all((0..8).map(|_| client.call("POST", &path, None))).await;
    assert_eq!(asked.iter().filter(|reply| reply.status == 201).count(), 1);
    let ids: Vec<String> = asked.iter().map(|reply| id(&reply.json())).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    let waiting = client.until(&path, |it| it["step_id"] == "tips").await;
    assert!(waiting["next_run_at"].is_string() && waiting["status"] == "active", "{waiting}");

    // The server is killed and restarted: due steps run, none twice.
    server.kill();
    server.serve();
    let client = server.client();
    let over = client.until(&path, |it| it["status"] == "completed").await;
    let done: Vec<&Value> = over["steps_done"].as_array().unwrap().iter().map(|it| &it["step_id"]).collect();
    assert_eq!(done, ["hello", "tips", "bye"]);
    let conversations = format!("/api/v1/conversations?contact_id={}", over["contact_id"].as_str().unwrap());
    let conversation = id(&client.get(&conversations).await.expect(200)["data"][0]);
    let messages = format!("/api/v1/conversations/{conversation}/messages?sort=created_at");
    let all_sent =
        |list: &Value| list["data"].as_array().is_some_and(|all| all.iter().all(|it| it["status"] == "sent"));
    let sent = client.until(&messages, all_sent).await;
    let texts: Vec<&Value> = sent["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["hello for Ada", "tips for Ada", "bye for Ada"]);
    assert_eq!(sent["data"][0]["sender"], json!({"type": "sequence", "id": drip}));
    // A delivery in progress at the kill may be repeated with the same event ID.
    let events = |received: &[Received]| -> BTreeSet<(String, String)> {
        received.iter().map(|it| (it.kind(), it.envelope()["id"].to_string())).collect()
    };
    let told = receiver.until("both events", |received| events(received).len() >= 2).await;
    let kinds: Vec<String> = events(&told).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["sequence.completed", "sequence.enrolled"]);

    // A second enrollment, because the policy is `always`.
    client.call("POST", &path, None).await.expect(201);
}

on_both! {
    runs_steps_in_order_and_once,
}

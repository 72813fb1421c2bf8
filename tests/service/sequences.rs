//! A sequence on the whole server: steps run in order and once, and enrollments end as configured.

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

async fn exits_pauses_and_resumes_enrollments(store: Store) {
    let server = Server::start(store, &[]);
    let client = server.client();
    let drip = sequence(&client, json!([send("later", "P1D")])).await;
    let one = format!("/api/v1/sequences/{drip}");
    let (ada, bob, eve) = (contact(&client, "Ada").await, contact(&client, "Bob").await, contact(&client, "Eve").await);
    let way = |contact: &str| format!("{contact}/sequences/{drip}");
    for contact in [&ada, &bob, &eve] {
        client.call("POST", &way(contact), None).await.expect(201);
    }
    client.delete(&way(&ada)).await.expect(204);
    client.delete(&way(&ada)).await.expect(404);
    let left = client.get(&way(&ada)).await.expect(200);
    assert_eq!((&left["status"], &left["exit_reason"]), (&json!("exited"), &json!("manual")));

    client.call("POST", &format!("{}/pause", way(&bob)), None).await.expect(200);
    let paused = client.get(&way(&bob)).await.expect(200);
    assert_eq!((&paused["status"], &paused["next_run_at"]), (&json!("paused"), &Value::Null));

    // The sequence is paused; a delay shortened in the meantime applies when it resumes.
    let put = async |body: Value| client.call("PUT", &one, Some(&body)).await.expect(200);
    put(json!({"status": "paused"})).await;
    put(json!({"steps": [send("later", "PT0S")]})).await;
    client.call("POST", &way(&ada), None).await.expect(409);
    assert_eq!(client.get(&way(&eve)).await.expect(200)["status"], "active");
    put(json!({"status": "active"})).await;
    client.until(&way(&eve), |it| it["status"] == "completed").await;
    assert_eq!(client.get(&way(&bob)).await.expect(200)["status"], "paused", "the paused enrollment stays paused");

    put(json!({"status": "archived"})).await;
    let out = client.until(&way(&bob), |it| it["status"] == "exited").await;
    assert_eq!(out["exit_reason"], "sequence_archived");
    client.call("PUT", &one, Some(&json!({"status": "active"}))).await.expect(422);
    let list = client.get(&format!("{one}/enrollments?status=exited")).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 2);
    client.delete(&one).await.expect(204);
    client.get(&one).await.expect(404);
    assert_eq!(client.get(&format!("{ada}/sequences")).await.expect(200)["data"].as_array().unwrap().len(), 1);
}

on_both! {
    runs_steps_in_order_and_once,
    exits_pauses_and_resumes_enrollments,
}

//! Opted-out contacts that were erased start opted out again, however they return, until they or a member opt them in.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Client, Patience, Person, Server, Store};

/// Returns a client of the sandbox of a new server's workspace.
async fn sandbox(server: &Server) -> Client {
    let owner = Person::new(server, &server.workspace, "owner").client(server).await;
    server.new_sandbox(&owner, &server.workspace).await.0
}

fn path(contact: &Value) -> String {
    format!("/api/v1/contacts/{}", contact["id"].as_str().unwrap())
}

async fn erase(client: &Client, contact: &Value) {
    let (path, mut patience) = (format!("{}/erase", path(contact)), Patience::new());
    while client.post(&path, &json!({})).await.status != 200 {
        assert!(patience.allows(()), "the contact is not erased");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

async fn say(client: &Client, contact: &Value, text: &str) {
    client.post("/api/v1/sandbox/inbound", &json!({"contact": contact["id"], "text": text})).await.expect(202);
}

async fn import(client: &Client, table: &str) -> Value {
    let started = client.post("/api/v1/contacts/import", &json!(table)).await.expect(202);
    let import = format!("/api/v1/contacts/imports/{}", started["id"].as_str().unwrap());
    client.until(&import, |it| it["ended_at"].is_string()).await
}

/// Sends a message to the contact; returns its status and the reason why it is not sent.
async fn sent(client: &Client, contact: &Value) -> (Value, Value) {
    let text = json!({"type": "text", "text": "Hello"});
    let message = client.post(&format!("{}/send-message", path(contact)), &text).await.expect(202);
    (message["status"].clone(), message["error"]["code"].clone())
}

fn suppressed() -> (Value, Value) {
    (json!("suppressed"), json!("unsubscribed"))
}

/// In a sandbox, contacts are recognised by their identifiers: a contact that wrote STOP returns in each possible way.
async fn the_word_stop_outlives_an_erasure(store: Store) {
    let server = Server::start(store, &[]);
    let client = sandbox(&server).await;
    let ada = json!({"email": "Ada@example.com", "external_id": "ada"});
    let first = client.post("/api/v1/contacts", &ada).await.expect(201);
    say(&client, &first, "stop").await;
    assert_eq!(sent(&client, &first).await, suppressed());
    erase(&client, &first).await;

    let done =
        import(&client, "email,first_name,subscribed\nada@example.com,Ada,true\neve@example.com,Eve,true\n").await;
    assert_eq!((&done["counts"]["created"], &done["counts"]["rejected"]), (&json!(2), &json!(0)), "{done}");
    let back = client.get("/api/v1/contacts/email:ada@example.com").await.expect(200);
    assert_eq!(back["identities"][0]["opted_in"], json!(false), "{back}");
    assert_eq!(sent(&client, &back).await, suppressed());
    let eve = client.get("/api/v1/contacts/email:eve@example.com").await.expect(200);
    assert_eq!(eve["identities"][0]["opted_in"], json!(true));
    import(&client, "email,subscribed\nada@example.com,true\n").await;
    assert_eq!(sent(&client, &back).await, suppressed(), "an import does not lift the opt-out");

    erase(&client, &back).await;
    let back = client.post("/api/v1/contacts", &json!({"email": "ada@example.com"})).await.expect(201);
    assert_eq!(back["identities"][0]["opted_in"], json!(false), "a creation does not lift the opt-out");
    say(&client, &back, "Hello").await;
    assert_eq!(sent(&client, &back).await, suppressed(), "other words do not lift the opt-out");
    say(&client, &back, "START").await;
    assert_ne!(sent(&client, &back).await, suppressed());
    erase(&client, &back).await;
    let back = client.post("/api/v1/contacts", &json!({"email": "ada@example.com"})).await.expect(201);
    assert_eq!(back["identities"][0]["opted_in"], json!(true), "the word START lifts the opt-out");

    client.post("/api/v1/sandbox/inbound", &json!({"contact": "kim", "text": "STOP"})).await.expect(202);
    let kim = client.get("/api/v1/contacts/external_id:kim").await.expect(200);
    erase(&client, &kim).await;
    client.post("/api/v1/sandbox/inbound", &json!({"contact": "kim", "text": "Hello"})).await.expect(202);
    let kim = client.get("/api/v1/contacts/external_id:kim").await.expect(200);
    assert_eq!(sent(&client, &kim).await, suppressed(), "a message of an opted-out contact does not lift the opt-out");
}

/// On other channels the address is recognised, and an update of the contact itself lifts the opt-out.
async fn an_address_is_known_again(store: Store) {
    let server = Server::start(store, &[]);
    let client = server.client();
    let channel = json!({"kind": "http", "name": "Ours", "config": {"url": "https://example.com/messages"}});
    let channel = client.post("/api/v1/channels", &channel).await.expect(201)["id"].clone();
    let at = |address: &str, opted_in: bool| json!({"identities": [{"channel_id": channel, "address": address, "opted_in": opted_in}]});
    let takes = |contact: &Value| {
        let identities = contact["identities"].as_array().unwrap().clone();
        identities.iter().find(|it| it["channel_id"] == channel).unwrap()["opted_in"].clone()
    };
    let make = async |body: Value| client.post("/api/v1/contacts", &body).await.expect(201);
    let out = make(at("+4930", false)).await;
    erase(&client, &out).await;
    let mut named = at("+4930", true);
    named["external_id"] = json!("back");
    let back = make(named.clone()).await;
    assert_eq!(takes(&back), json!(false), "{back}");
    assert_eq!(takes(&make(at("+4940", true)).await), json!(true));
    let batch = json!({"operations": [{"action": "create", "contact": named}]});
    let batch = client.post("/api/v1/contacts/batch?on_conflict=update", &batch).await.expect(200);
    assert_eq!(batch["outcomes"][0]["status"], json!(200), "{batch}");
    assert_eq!(takes(&client.get(&path(&back)).await.expect(200)), json!(false), "an upsert does not lift the opt-out");
    let patched = client.call("PATCH", &path(&back), Some(&at("+4930", true))).await.expect(200);
    assert_eq!(takes(&patched), json!(true));
    erase(&client, &back).await;
    assert_eq!(takes(&make(at("+4930", true)).await), json!(true));

    let everything = json!({"email": "kim@example.com", "subscribed": false});
    let out = make(everything).await;
    client.delete(&path(&out)).await.expect(204);
    let done = import(&client, "email,subscribed\nkim@example.com,true\n").await;
    assert_eq!(done["counts"]["still_opted_out"], json!(1), "{done}");
    let back = client.get("/api/v1/contacts/email:kim@example.com").await.expect(200);
    assert_eq!(back["subscribed"], json!(false));
    client.call("PATCH", &path(&back), Some(&json!({"subscribed": true}))).await.expect(200);
    client.delete(&path(&back)).await.expect(204);
    assert_eq!(make(json!({"email": "kim@example.com"})).await["subscribed"], json!(true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_opt_out_outlives_its_contact_on_sqlite() {
    the_word_stop_outlives_an_erasure(Store::sqlite().await).await;
    an_address_is_known_again(Store::sqlite().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_opt_out_outlives_its_contact_on_postgresql() {
    the_word_stop_outlives_an_erasure(Store::postgres().await).await;
    an_address_is_known_again(Store::postgres().await).await;
}

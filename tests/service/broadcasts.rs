//! A broadcast interrupted by kill -9: each contact gets it once.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Client, Server, Store};

const PEOPLE: usize = 600;

/// Returns all messages captured by the sandbox.
async fn captured(client: &Client) -> Vec<Value> {
    let channels = client.get("/api/v1/channels").await.expect(200);
    let path = format!("/api/v1/channels/{}/captured?limit=100", channels["data"][0]["id"].as_str().unwrap());
    let (mut all, mut next) = (Vec::new(), String::new());
    loop {
        let page = client.get(&format!("{path}{next}")).await.expect(200);
        all.extend(page["data"].as_array().unwrap().iter().cloned());
        match page["next_cursor"].as_str() {
            Some(cursor) => next = format!("&cursor={cursor}"),
            None => return all,
        }
    }
}

async fn killed(store: Store, kills: usize) {
    let mut server = Server::start(store, &[("TIDINGS__LIMITS__PLANS__BUSINESS", "1000000")]);
    let client = server.client();
    for number in 0..PEOPLE {
        let contact = json!({"first_name": format!("C{number}"), "subscribed": number % 10 != 0});
        client.post("/api/v1/contacts", &contact).await.expect(201);
    }
    let body = json!({"name": "News", "audience": {"all": []}, "rate_per_minute": 6_000,
        "message": {"type": "text", "text": "Hi {{ contact.first_name }}"}});
    let path = format!("/api/v1/broadcasts/{}", client.create("/api/v1/broadcasts", &body).await);
    client.post(&format!("{path}/send"), &json!({})).await.expect(202);
    for kill in 1..=kills {
        let so_many = (kill * PEOPLE / (kills + 2)) as u64;
        let client = server.client();
        client.until(&path, |it| it["stats"]["sent"].as_u64() >= Some(so_many)).await;
        server.kill();
        server.serve();
    }
    let client = server.client();
    let done = client.until(&path, |it| it["status"] == "completed").await;
    let reached = PEOPLE - PEOPLE / 10;
    let stats = json!({"targeted": PEOPLE, "sent": reached, "delivered": 0, "read": 0, "failed": 0,
        "suppressed": PEOPLE / 10, "uncertain": 0});
    assert_eq!(done["stats"], stats);
    let messages = captured(&client).await;
    let people: BTreeSet<_> = messages.iter().map(|it| it["contact_id"].as_str().unwrap()).collect();
    assert_eq!((messages.len(), people.len()), (reached, reached), "each contact gets the message once");
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_a_broadcast_once_per_contact_despite_kills_on_sqlite() {
    killed(Store::sqlite().await, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sends_a_broadcast_once_per_contact_despite_kills_on_postgresql() {
    killed(Store::postgres().await, 1).await;
}

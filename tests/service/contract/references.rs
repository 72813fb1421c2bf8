//! Stored references keep their objects, even if an object is renamed, or deleted and created again; lost references
//! are reported.

use serde_json::{Value, json};

use crate::support::{Client, Server};

fn id(made: &Value) -> &str {
    made["id"].as_str().unwrap()
}

async fn tag(client: &Client, name: &str) -> String {
    let made = client.post("/api/v1/tags", &json!({ "name": name })).await.expect(201);
    format!("/api/v1/tags/{}", id(&made))
}

async fn rename(client: &Client, tag: &str, name: &str) {
    client.call("PATCH", tag, Some(&json!({ "name": name }))).await.expect(200);
}

async fn contact(client: &Client, name: &str, tags: Value) -> String {
    let body = json!({"first_name": name, "tags": tags});
    id(&client.post("/api/v1/contacts", &body).await.expect(201)).to_owned()
}

async fn broadcast(client: &Client, audience: &Value) -> String {
    let message = json!({"type": "text", "text": "Hi {{ contact.first_name }}"});
    let body = json!({"name": "News", "audience": audience, "message": message});
    format!("/api/v1/broadcasts/{}", id(&client.post("/api/v1/broadcasts", &body).await.expect(201)))
}

async fn send(client: &Client, broadcast: &str) {
    client.post(&format!("{broadcast}/send"), &json!({})).await.expect(202);
}

async fn texts(client: &Client) -> Vec<String> {
    let channels = client.get("/api/v1/channels").await.expect(200);
    let path = format!("/api/v1/channels/{}/captured?limit=100", id(&channels["data"][0]));
    let captured = client.get(&path).await.expect(200);
    let texts = captured["data"].as_array().unwrap().iter().filter_map(|it| it["text"].as_str());
    texts.map(ToOwned::to_owned).collect()
}

/// A tag name is resolved when it is written: an exclusion, a segment and a search still apply after the tag is
/// renamed.
pub async fn references_follow_a_renamed_tag(server: &Server) {
    let client = server.new_client("Renamed", "full");
    let excluded = tag(&client, "NoMail").await;
    contact(&client, "Ada", json!([])).await;
    contact(&client, "Bob", json!(["NoMail"])).await;
    contact(&client, "Bea", json!(["NoMail"])).await;
    let audience = json!({"field": "tags", "op": "has_not", "value": "nomail"});
    let broadcast = broadcast(&client, &audience).await;
    let of_tag = json!({"field": "tags", "op": "has", "value": "NoMail"});
    let segment = json!({"name": "Quiet ones", "condition": of_tag});
    let segment = format!("/api/v1/segments/{}", id(&client.post("/api/v1/segments", &segment).await.expect(201)));
    let search = async |cursor: &Value| {
        let body = json!({"filter": of_tag, "limit": 1, "cursor": cursor});
        client.post("/api/v1/contacts/search", &body).await
    };
    let first = search(&Value::Null).await.expect(200);

    rename(&client, &excluded, "Quiet").await;
    tag(&client, "NoMail").await;
    let shown = client.get(&broadcast).await.expect(200);
    assert_eq!(shown["audience"]["value"], "Quiet");
    let shown = client.get(&segment).await.expect(200);
    assert_eq!((&shown["condition"]["value"], &shown["contact_count"]), (&json!("Quiet"), &json!(2)));
    let again = client.call("PATCH", &segment, Some(&json!({"condition": shown["condition"]}))).await.expect(200);
    assert_eq!(again["version"], shown["version"], "nothing changed");
    let refused = search(&first["next_cursor"]).await.expect(400);
    assert_eq!(refused["code"], "invalid_cursor", "the name now belongs to another tag");
    send(&client, &broadcast).await;
    client.until(&broadcast, |it| it["status"] == "completed").await;
    assert_eq!(texts(&client).await, ["Hi Ada"]);
}

/// A draft and its published version keep the tag that they were written with; a draft with a lost tag cannot be
/// published.
pub async fn a_flow_keeps_the_tag_it_was_written_with(server: &Server) {
    let client = server.new_client("Renamed in flows", "full");
    let vip = tag(&client, "VIP").await;
    let definition = |tag: &str| {
        json!({"triggers": [{"type": "event", "event": "contact.created",
            "filter": {"field": "tags", "op": "has_not", "value": tag}}],
            "start": "t", "nodes": [{"id": "t", "type": "add_tag", "tag": tag, "next": "end"}, {"id": "end", "type": "end"}]})
    };
    let made =
        client.post("/api/v1/flows", &json!({"name": "Welcome", "definition": definition("vip")})).await.expect(201);
    assert_eq!(made["definition"], definition("VIP"), "the current name of the tag is shown");
    let flow = format!("/api/v1/flows/{}", id(&made));
    client.post(&format!("{flow}/publish"), &json!({})).await.expect(200);
    rename(&client, &vip, "Gold").await;
    tag(&client, "VIP").await;
    assert_eq!(client.get(&flow).await.expect(200)["definition"], definition("Gold"));
    let versions = client.get(&format!("{flow}/versions")).await.expect(200);
    assert_eq!(versions["data"][0]["definition"], definition("Gold"));
    let again = client.post(&format!("{flow}/publish"), &json!({})).await.expect(200);
    assert_eq!(again["version_published"], 1, "the definition did not change");
    let ada = format!("/api/v1/contacts/{}", contact(&client, "Ada", json!(["VIP"])).await);
    let tagged = client.until(&ada, |it| it["tags"].as_array().is_some_and(|tags| tags.len() == 2)).await;
    assert!(tagged["tags"].as_array().unwrap().iter().any(|it| it["name"] == "Gold"), "{tagged}");

    client.call("DELETE", &format!("{vip}?force=true"), None).await.expect(204);
    tag(&client, "Gold").await;
    let lost = &client.get(&flow).await.expect(200)["lost_references"];
    assert_eq!((&lost[0]["type"], &lost[0]["name"], &lost[1]), (&json!("tag"), &json!("Gold"), &Value::Null), "{lost}");
    let refused = client.post(&format!("{flow}/publish"), &json!({})).await.expect(422);
    assert_eq!(refused["errors"][0]["code"], "lost_reference");
    client.call("PATCH", &flow, Some(&json!({"definition": definition("gold")}))).await.expect(200);
    let published = client.post(&format!("{flow}/publish"), &json!({})).await.expect(200);
    assert_eq!(published["version_published"], 2);
    assert_eq!(client.get(&flow).await.expect(200).get("lost_references"), None);
}

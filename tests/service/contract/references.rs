//! Stored references keep their objects, even if an object is renamed, or deleted and created again; lost references
//! are reported.

use std::time::Duration;

use serde_json::{Value, json};
use tidings_domain::time::Timestamp;

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

async fn broadcast(client: &Client, audience: &Value, at: Option<&str>) -> String {
    let message = json!({"type": "text", "text": "Hi {{ contact.first_name }}"});
    let body = json!({"name": "News", "audience": audience, "message": message, "scheduled_at": at});
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

/// Returns a time five seconds after an object was created: enough for a few requests on a busy machine.
async fn soon(client: &Client, object: &str) -> String {
    let created_at = client.get(object).await.expect(200)["created_at"].as_str().unwrap().parse::<Timestamp>();
    created_at.unwrap().plus(Duration::from_secs(5)).to_string()
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
    let broadcast = broadcast(&client, &audience, None).await;
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

/// A broadcast with a deleted exclusion sends nothing: it is paused until its audience is edited.
pub async fn pauses_a_broadcast_that_lost_its_exclusion(server: &Server) {
    let client = server.new_client("Lost exclusion", "full");
    let excluded = tag(&client, "NoMail").await;
    contact(&client, "Ada", json!([])).await;
    contact(&client, "Bob", json!(["NoMail"])).await;
    let audience = json!({"not": {"field": "tags", "op": "has", "value": "NoMail"}});
    let at = soon(&client, &tag(&client, "Other").await).await;
    let broadcast = broadcast(&client, &audience, Some(&at)).await;
    send(&client, &broadcast).await;
    client.call("DELETE", &format!("{excluded}?force=true"), None).await.expect(204);
    tag(&client, "NoMail").await;
    let paused = client.until(&broadcast, |it| it["status"] != "scheduled").await;
    let lost = json!([{"type": "tag", "name": "NoMail", "at": paused["lost_references"][0]["at"]}]);
    assert_eq!((&paused["status"], &paused["lost_references"]), (&json!("paused"), &lost));
    let resume = format!("{broadcast}/resume");
    let refused = client.post(&resume, &json!({})).await.expect(422);
    assert_eq!(refused["errors"][0]["code"], "lost_reference");
    assert_eq!(texts(&client).await, Vec::<String>::new());
    let audience = json!({"field": "first_name", "op": "eq", "value": "Ada"});
    let edited = client.call("PATCH", &broadcast, Some(&json!({ "audience": audience }))).await.expect(200);
    assert_eq!(edited["status"], "paused");
    assert_eq!(client.post(&resume, &json!({})).await.expect(200)["status"], "scheduled");
    let done = client.until(&broadcast, |it| it["status"] == "completed").await;
    assert_eq!(done.get("lost_references"), None);
    assert_eq!(texts(&client).await, ["Hi Ada"]);
}

/// A sequence with a lost exit condition takes no step: it is paused until the condition is edited.
pub async fn pauses_a_sequence_that_lost_its_exit(server: &Server) {
    let client = server.new_client("Lost exit", "full");
    let buyer = tag(&client, "Customer").await;
    let message = json!({"type": "text", "text": "Still there?"});
    let steps = json!([{"id": "a", "delay": "PT5S", "action": {"type": "send_message", "message": message}}]);
    let left = json!({"field": "tags", "op": "has", "value": "customer"});
    let body = json!({"name": "Drip", "status": "active", "steps": steps, "exit_when": left});
    let sequence = client.post("/api/v1/sequences", &body).await.expect(201);
    assert_eq!(sequence["exit_when"]["value"], "Customer", "the current name of the tag is shown");
    let sequence = format!("/api/v1/sequences/{}", id(&sequence));
    let ada = contact(&client, "Ada", json!([])).await;
    let enroll = format!("/api/v1/contacts/{ada}/sequences/{}", sequence.rsplit('/').next().unwrap());
    client.post(&enroll, &json!({})).await.expect(201);
    rename(&client, &buyer, "Buyer").await;
    assert_eq!(client.get(&sequence).await.expect(200)["exit_when"]["value"], "Buyer");
    client.call("DELETE", &format!("{buyer}?force=true"), None).await.expect(204);
    let paused = client.until(&sequence, |it| it["status"] == "paused").await;
    let lost = &paused["lost_references"][0];
    assert_eq!((&lost["type"], &lost["name"]), (&json!("tag"), &json!("Buyer")));
    let refused = client.call("PATCH", &sequence, Some(&json!({"status": "active"}))).await.expect(422);
    assert_eq!(
        (&refused["errors"][0]["code"], &refused["errors"][0]["pointer"]),
        (&json!("lost_reference"), &json!("/exit_when"))
    );
    assert_eq!(texts(&client).await, Vec::<String>::new());
    let edit = json!({"status": "active", "exit_when": null});
    client.call("PATCH", &sequence, Some(&edit)).await.expect(200);
    let done = client.until(&sequence, |it| it.get("lost_references").is_none()).await;
    assert_eq!(done["status"], "active");
}

/// Users of a removed option and of a recreated field report the lost reference.
pub async fn reports_removed_options_and_recreated_fields(server: &Server) {
    let client = server.new_client("Lost options", "full");
    let body = json!({"name": "Plan", "key": "plan", "type": "select", "options": ["pro", "free"]});
    let field = client.post("/api/v1/custom-fields", &body).await.expect(201);
    let field = format!("/api/v1/custom-fields/{}", id(&field));
    let condition = json!({"field": "custom_fields.plan", "op": "ne", "value": "free"});
    let segment = client.post("/api/v1/segments", &json!({"name": "S", "condition": condition})).await.expect(201);
    let segment = format!("/api/v1/segments/{}", id(&segment));
    let path = broadcast(&client, &json!({"segment_id": segment.rsplit('/').next()}), None).await;
    client.call("PATCH", &format!("{field}?force=true"), Some(&json!({"options": ["pro"]}))).await.expect(200);
    for path in [&segment, &path] {
        let lost = &client.get(path).await.expect(200)["lost_references"][0];
        assert_eq!((&lost["type"], &lost["name"]), (&json!("option"), &json!("free")), "{path}");
    }
    let refused = client.post(&format!("{path}/send"), &json!({})).await.expect(422);
    assert_eq!(refused["errors"][0]["code"], "lost_reference");

    client.call("DELETE", &format!("{field}?force=true"), None).await.expect(204);
    client.post("/api/v1/custom-fields", &body).await.expect(201);
    let lost = &client.get(&segment).await.expect(200)["lost_references"];
    assert_eq!((&lost[0]["type"], &lost[1]), (&json!("custom_field"), &Value::Null), "{lost}");
    client.call("PATCH", &segment, Some(&json!({ "condition": condition }))).await.expect(200);
    assert_eq!(client.get(&segment).await.expect(200).get("lost_references"), None);
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

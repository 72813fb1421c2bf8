//! The effects of deletions, and the results of tests of channels and webhooks.

use serde_json::{Value, json};

use crate::support::{Client, Person, Receiver, Server};

fn id(object: &Value) -> String {
    object["id"].as_str().unwrap().to_owned()
}

fn members(object: &Value) -> Vec<String> {
    let mut names: Vec<_> = object.as_object().unwrap().keys().cloned().collect();
    names.sort();
    names
}

fn client(server: &Server, name: &str) -> (String, Client) {
    let workspace = server.new_workspace(name);
    let key = server.new_key(&workspace, "full");
    (workspace, server.client().with_key(Some(&key)))
}

/// Tests of channels and of webhooks return the same form.
pub async fn tests_of_channels_and_webhooks_have_the_same_form(server: &Server) {
    let (receiver, (_, client)) = (Receiver::start(), client(server, "Tests"));
    let hook = client.post("/api/v1/webhooks", &json!({"url": receiver.url, "events": ["*"]})).await.expect(201);
    let body = json!({"kind": "http", "name": "Out", "config": {"url": receiver.url}});
    let channel = id(&client.post("/api/v1/channels", &body).await.expect(201));
    let sandbox = client.get("/api/v1/channels?sort=created_at").await.expect(200)["data"][0].clone();
    assert_eq!(sandbox["kind"], "sandbox");
    let test = async |path: String| client.post(&path, &json!({})).await.expect(200);
    let of_hook = test(format!("/api/v1/webhooks/{}/test", id(&hook))).await;
    let of_channel = test(format!("/api/v1/channels/{channel}/test")).await;
    let of_sandbox = test(format!("/api/v1/channels/{}/test", id(&sandbox))).await;
    assert_eq!(members(&of_hook), members(&of_channel));
    assert_eq!(members(&of_hook), members(&of_sandbox));
    for (tested, status) in [(&of_hook, json!(204)), (&of_channel, json!(204)), (&of_sandbox, Value::Null)] {
        assert_eq!((&tested["succeeded"], &tested["error"], &tested["status"]), (&json!(true), &Value::Null, &status));
    }
    assert_eq!((&of_hook["event_type"], &of_channel["event_type"]), (&json!("contact.created"), &Value::Null));
    // The error of a failed test becomes the channel's `last_error`.
    let nowhere = json!({"config": {"url": "http://127.0.0.1:9/"}});
    client.call("PATCH", &format!("/api/v1/channels/{channel}"), Some(&nowhere)).await.expect(200);
    let failed = test(format!("/api/v1/channels/{channel}/test")).await;
    assert_eq!((&failed["succeeded"], &failed["status"]), (&json!(false), &Value::Null));
    let shown = client.get(&format!("/api/v1/channels/{channel}")).await.expect(200);
    assert_eq!((&shown["last_error"], failed["error"].is_string()), (&failed["error"], true));
}

/// Deleting the default channel returns the new default.
pub async fn deleting_the_default_channel_returns_the_new_default(server: &Server) {
    let (_, client) = client(server, "Defaults");
    let default = client.get("/api/v1/channels").await.expect(200)["data"][0].clone();
    assert_eq!(default["is_default"], true);
    let body = json!({"kind": "sandbox", "name": "Another"});
    let other = id(&client.post("/api/v1/channels", &body).await.expect(201));
    let delete = async |id: &str| client.call("DELETE", &format!("/api/v1/channels/{id}"), None).await;
    assert_eq!(delete(&id(&default)).await.expect(200), json!({"default_channel": null}));
    let reply = delete(&other).await;
    assert_eq!((reply.status, reply.text.as_str()), (204, ""), "the channel was not the default");
}

/// Keys have versions, which their changes return.
pub async fn keys_have_versions(server: &Server) {
    let (workspace, _) = client(server, "Keys");
    let owner = Person::new(server, &workspace, "owner").client(server).await;
    let keys = format!("/platform/workspaces/{workspace}/api-keys");
    let reply = owner.post(&keys, &json!({"name": "CI", "scope": "read"})).await;
    assert!(reply.header("etag").unwrap().starts_with("\"1-"));
    let made = reply.expect(201);
    assert_eq!((&made["version"], &made["updated_at"]), (&json!(1), &made["created_at"]));
    let key = format!("{keys}/{}", id(&made));
    let with = async |method: &str, path: &str, version: &str| {
        owner.send(method, path, &[("if-match", version)], None).await.unwrap()
    };
    assert_eq!(with("POST", &format!("{key}/rotate"), "\"2\"").await.status, 412);
    assert_eq!(with("POST", &format!("{key}/rotate"), "\"1\"").await.status, 201);
    let list = owner.get(&keys).await.expect(200);
    let old = list["data"].as_array().unwrap().iter().find(|it| it["id"] == made["id"]).unwrap();
    assert_eq!(old["version"], 2, "a rotation changes the version of the old key");
    assert_ne!(old["updated_at"], old["created_at"]);
    assert_eq!(with("DELETE", &key, "\"1\"").await.status, 412);
    assert_eq!(with("DELETE", &key, "\"2\"").await.status, 204);
}

/// A flow and a sequence list references to objects deleted by force, until they are edited.
pub async fn lists_forcibly_deleted_references_until_the_next_edit(server: &Server) {
    let (_, client) = client(server, "Losses");
    let tag = id(&client.post("/api/v1/tags", &json!({"name": "vip"})).await.expect(201));
    let definition = json!({"start": "tag", "nodes": [
        {"id": "tag", "type": "add_tag", "tag": "vip", "next": "end"}, {"id": "end", "type": "end"}]});
    let flow = format!("/api/v1/flows/{}", client.publish_flow("Welcome", &definition).await);
    let message = json!({"type": "text", "text": "Hi"});
    let steps = json!([{"id": "a", "delay": "P1D", "action": {"type": "send_message", "message": message}}]);
    let left = json!({"field": "tags", "op": "has", "value": "vip"});
    let sequence = json!({"name": "Drip", "status": "active", "steps": steps, "exit_when": left});
    let sequence = id(&client.post("/api/v1/sequences", &sequence).await.expect(201));
    let sequence = format!("/api/v1/sequences/{sequence}");
    let before = client.get(&flow).await;
    assert_eq!(before.json().get("lost_references"), None);

    client.call("DELETE", &format!("/api/v1/tags/{tag}"), None).await.expect(409);
    client.call("DELETE", &format!("/api/v1/tags/{tag}?force=true"), None).await.expect(204);
    for path in [&flow, &sequence] {
        let shown = client.get(path).await.expect(200);
        let lost = shown["lost_references"].as_array().unwrap();
        assert_eq!((lost.len(), &lost[0]["type"], &lost[0]["name"]), (1, &json!("tag"), &json!("vip")), "{path}");
        assert_eq!(members(&lost[0]), ["at", "name", "type"]);
    }
    assert_ne!(client.get(&flow).await.header("etag"), before.header("etag"), "the etag changes");

    let repaired = json!({"definition": {"start": "end", "nodes": [{"id": "end", "type": "end"}]}});
    client.call("PATCH", &flow, Some(&repaired)).await.expect(200);
    client.post(&format!("{flow}/publish"), &json!({})).await.expect(200);
    client.call("PATCH", &sequence, Some(&json!({"exit_when": null}))).await.expect(200);
    for path in [&flow, &sequence] {
        assert_eq!(client.get(path).await.expect(200).get("lost_references"), None, "{path}");
    }
}

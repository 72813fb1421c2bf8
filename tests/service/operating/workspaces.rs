//! The end of a workspace: deletion, restoration, export, erasure.

use std::collections::BTreeMap;
use std::io::Read;

use serde_json::{Value, json};

use super::{contact, hook};
use crate::support::people::OFTEN;
use crate::support::seed::Seed;
use crate::support::{Client, Person, Receiver, Reply, Server, Store};

fn place(workspace: &str) -> String {
    format!("/platform/workspaces/{workspace}")
}

async fn delete(client: &Client, workspace: &str, query: &str, name: &str) -> Reply {
    client.call("DELETE", &format!("{}{query}", place(workspace)), Some(&json!({"name": name}))).await
}

/// Keys, jobs and pages stop while a workspace is deleted, and work again after it is restored.
async fn deleted_workspaces_stop_and_restored_ones_resume(store: Store) {
    let server = Server::start(store, &[OFTEN]);
    let (client, receiver) = (server.client(), Receiver::start());
    hook(&client, &receiver).await;
    let ws = server.workspace.clone();
    let owner = Person::new(&server, &ws, "owner").client(&server).await;
    let admin = Person::new(&server, &ws, "admin").client(&server).await;
    let boss = Person::operator(&server, &server.new_workspace("Elsewhere"), "viewer").client(&server).await;
    let name = owner.get(&place(&ws)).await.expect(200)["name"].as_str().unwrap().to_owned();
    contact(&client, "a").await;
    receiver.until("the first event", |came| came.len() == 1).await;
    let channel = json!({"name": "Line", "kind": "http", "config": {"url": receiver.url}});
    let channel = client.post("/api/v1/channels", &channel).await.expect(201);
    let inbound = channel["inbound_path"].as_str().unwrap().to_owned();
    let provider = client.with_key(None);
    assert_eq!(provider.post(&inbound, &json!({})).await.code(), "invalid_signature");

    let refused = delete(&admin, &ws, "", &name).await;
    assert_eq!((refused.status, refused.code()), (403, "insufficient_role".to_owned()));
    let wrong = delete(&owner, &ws, "", "another").await.expect(422);
    assert_eq!(wrong["errors"][0]["pointer"], "/name", "{wrong}");
    let tried = delete(&owner, &ws, "?dry_run=true", &name).await.expect(200);
    assert_eq!((&tried["dry_run"], &tried["counts"]["contacts"]["count"]), (&json!(true), &json!(1)), "{tried}");
    client.get("/api/v1/me").await.expect(200);

    // A delivery falls due while the workspace is deleted.
    owner.put(&format!("{}/outbound", place(&ws)), &json!({"mode": "hold"})).await.expect(200);
    contact(&client, "b").await;
    let deleted = delete(&owner, &ws, "", &name).await.expect(200);
    let until = deleted["restore_until"].as_str().unwrap().to_owned();
    client.until_status("/api/v1/me", 401).await;
    assert_eq!(provider.post(&inbound, &json!({})).await.code(), "not_found", "inbound messages are rejected");
    let gone = owner.until_status(&format!("{}/storage", place(&ws)), 410).await;
    assert_eq!(gone.code(), "workspace_deleted");
    assert_eq!(gone.json()["restore_until"], json!(until));
    assert_eq!(owner.get("/api/v1/contacts").await.code(), "workspace_deleted", "the owner has no other workspace");
    let me = owner.get("/auth/me").await.expect(200);
    assert_eq!(me["memberships"][0]["workspace"]["restore_until"], json!(until), "{me}");
    assert_eq!(delete(&owner, &ws, "", &name).await.code(), "workspace_deleted");
    let log = boss.get("/platform/audit-log").await.expect(200);
    assert_eq!(log["data"][0]["action"], "workspace.deleted", "{log}");
    owner.get("/platform/audit-log").await.expect(403);

    let restore = format!("{}/restore", place(&ws));
    assert_eq!(admin.post(&restore, &json!({})).await.status, 403);
    let restored = owner.post(&restore, &json!({"outbound": "send"})).await.expect(200);
    assert_eq!((&restored["deleted_at"], &restored["outbound"]), (&Value::Null, &json!("send")), "{restored}");
    client.until_status("/api/v1/me", 200).await;
    receiver.until("the event of before", |came| came.len() == 2).await;
    let again = owner.post(&restore, &json!({})).await.expect(200);
    assert_eq!(again["version"], restored["version"], "an active workspace is not restored again");
}

/// Returns the files of an archive, joined by folder.
fn files(archive: &[u8]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::<String, String>::new();
    for entry in tar::Archive::new(flate2::read::GzDecoder::new(archive)).entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().display().to_string();
        let kind = path.split('/').next().unwrap().to_owned();
        entry.read_to_string(files.entry(kind).or_default()).unwrap();
    }
    files
}

async fn exports_everything_except_secrets(store: Store) {
    let server = Server::start(store, &[OFTEN]);
    let receiver = Receiver::start();
    let seed = Seed::new(&server, "Acme", &receiver).await;
    let secret = json!({"value": "hush-hush", "hosts": ["shop.example"]});
    seed.client.put("/api/v1/secrets/EXPORT_ME", &secret).await.expect(201);
    let upload = "/api/v1/media?name=prices.txt";
    let stored = seed.client.send("POST", upload, &[], Some(b"Tea: 3".to_vec())).await.unwrap().expect(201);
    let contact = seed.client.create("/api/v1/contacts", &json!({"first_name": "Ada"})).await;
    let message = json!({"type": "file", "attachments": [{"media_id": stored["id"]}]});
    let sent = seed.client.post(&format!("/api/v1/contacts/{contact}/send-message"), &message).await.expect(202);
    let has_ended = |it: &Value| it["status"] != "queued" && it["status"] != "sending";
    seed.client.until(&format!("/api/v1/messages/{}", sent["id"].as_str().unwrap()), has_ended).await;
    let admin = Person::new(&server, &seed.workspace, "admin").client(&server).await;
    let member = Person::new(&server, &seed.workspace, "member").client(&server).await;
    let path = format!("{}/export", place(&seed.workspace));
    member.get(&path).await.expect(403);
    let reply = admin.get(&path).await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/octet-stream")));
    let files = files(&reply.bytes);
    let about: Value = serde_json::from_str(&files["export.json"]).unwrap();
    for (kind, lines) in about["lines"].as_object().unwrap() {
        let found = files[kind].lines().inspect(|line| drop(serde_json::from_str::<Value>(line).unwrap())).count();
        assert_eq!(json!(found), *lines, "{kind}");
    }
    let kinds =
        ["contacts", "messages", "flows", "flow_versions", "tags", "webhooks", "members", "audit_log", "secrets"];
    for kind in kinds {
        assert!(files.get(kind).is_some_and(|text| !text.is_empty()), "{kind}");
    }
    let all: String = files.values().map(String::as_str).collect();
    for secret in ["hush-hush", "whsec_", seed.full.as_str(), "inbound/"] {
        assert!(!all.contains(secret), "{secret}");
    }
    // The archive names the files of messages. Their content is not in it, but at their paths.
    assert!(files["messages"].contains(&format!("\"media_id\":{}", stored["id"])), "{}", files["messages"]);
    assert!(!all.contains("Tea: 3"));
    let content = seed.client.get(stored["url"].as_str().unwrap()).await;
    assert_eq!((content.status, content.text.as_str()), (200, "Tea: 3"));
    for id in seed.ids().filter(|id| id.starts_with("contact_") || id.starts_with("flow_") || id.starts_with("msg_")) {
        assert!(all.contains(id), "{id}");
    }
    let folder = std::env::temp_dir().join(format!("tidings-test-{}", seed.workspace));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("acme.tar.gz");
    let arguments = ["workspace", "export", &seed.workspace, "--output", file.to_str().unwrap()];
    server.command(&arguments);
    let own = self::files(&std::fs::read(&file).unwrap());
    assert_eq!(own["contacts"], files["contacts"]);
    assert!(server.refused(&arguments).contains("acme.tar.gz"), "existing files are not overwritten");
    std::fs::remove_dir_all(&folder).unwrap();
}

async fn operators_can_erase_a_workspace_at_once(store: Store) {
    let server = Server::start(store, &[OFTEN]);
    let receiver = Receiver::start();
    let seed = Seed::new(&server, "Acme", &receiver).await;
    let boss = Person::operator(&server, &server.workspace, "owner").client(&server).await;
    let ws = seed.workspace.as_str();
    assert!(server.refused(&["workspace", "delete", ws, "--name", "Emca"]).contains("Acme"));
    let tried = server.command(&["workspace", "delete", ws, "--name", "Acme", "--dry-run"]);
    assert_eq!(tried["dry_run"], true, "{tried}");
    server.command(&["workspace", "delete", ws, "--name", "Acme"]);
    seed.client.until_status("/api/v1/me", 401).await;
    let restored = server.command(&["workspace", "restore", ws, "--hold"]);
    assert_eq!((&restored["outbound"], &restored["deleted_at"]), (&json!("hold"), &Value::Null));
    seed.client.until_status("/api/v1/me", 200).await;
    server.command(&["workspace", "delete", ws, "--name", "Acme"]);
    assert!(server.refused(&["workspace", "delete", ws, "--name", "Acme"]).contains("deleted"));
    // A deletion that can still be restored becomes final.
    server.command(&["workspace", "delete", ws, "--name", "Acme", "--now"]);
    seed.client.until_status("/api/v1/me", 401).await;
    boss.get(&place(ws)).await.expect(404);
    server.client().get("/api/v1/me").await.expect(200);
    let log = boss.get("/platform/audit-log?action=workspace.deleted").await.expect(200);
    assert_eq!(log["data"].as_array().unwrap().len(), 3, "the log is not deleted with the workspace: {log}");
    assert!(server.refused(&["workspace", "restore", ws]).contains("not found"));
}

on_both! {
    deleted_workspaces_stop_and_restored_ones_resume,
    exports_everything_except_secrets,
    operators_can_erase_a_workspace_at_once,
}

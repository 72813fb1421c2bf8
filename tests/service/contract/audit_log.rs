//! The audit log: changes with their actors, as owners and admins read them.

use serde_json::{Value, json};

use crate::support::{Client, Person, Server};

async fn entries(client: &Client, path: &str) -> Vec<Value> {
    client.get(path).await.expect(200)["data"].as_array().unwrap().clone()
}

fn actions(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|it| it["action"].as_str().unwrap()).collect()
}

/// Changes by keys and users are logged once, with the values before and after, newest first, with filters and pages.
pub async fn logs_each_change_once(server: &Server) {
    let workspace = server.new_workspace("Audited");
    let client = server.client().with_key(Some(&server.new_key(&workspace, "full")));
    let owner = Person::new(server, &workspace, "owner");
    let ada = owner.client(server).await;
    let log = format!("/platform/workspaces/{workspace}/audit-log");
    let body = json!({"name": "VIP", "color": "#ffcc00"}).to_string().into_bytes();
    let headers = [("content-type", "application/json"), ("idempotency-key", "audited-once")];
    let mut tag = Value::Null;
    for _ in 0..2 {
        tag = client.send("POST", "/api/v1/tags", &headers, Some(body.clone())).await.unwrap().expect(201);
    }
    let path = format!("/api/v1/tags/{}", tag["id"].as_str().unwrap());
    for _ in 0..2 {
        ada.call("PATCH", &path, Some(&json!({"name": "Gold"}))).await.expect(200);
    }
    client.post("/api/v1/tags", &json!({"name": "GOLD"})).await.expect(409);
    let told = entries(&ada, &format!("{log}?object_id={}", tag["id"].as_str().unwrap())).await;
    assert_eq!(actions(&told), ["tag.updated", "tag.created"]);
    let change = json!({"name": {"before": "VIP", "after": "Gold", "withheld": false, "cut": false}});
    assert_eq!(told[0]["changes"], change);
    assert_eq!(told[0]["actor"], json!({"type": "user", "id": owner.id, "scope": "full"}));
    assert_eq!(told[0]["object"], json!({"type": "tag", "id": tag["id"], "name": "Gold"}));
    let key = client.get("/api/v1/me").await.expect(200)["api_key"]["id"].clone();
    assert_eq!(told[1]["actor"], json!({"type": "api_key", "id": key, "scope": "full"}));

    let hook = json!({"url": "https://hooks.example.com/s3cret-path", "events": ["*"], "headers": {"X-Token": "s3cret-of-a-header"}});
    let hook = format!("/api/v1/webhooks/{}", client.create("/api/v1/webhooks", &hook).await);
    client.post(&format!("{hook}/rotate-secret"), &json!({})).await.expect(200);
    client.delete(&hook).await.expect(204);
    let secret = json!({"value": "s3cret", "hosts": ["api.example.com"]});
    client.put("/api/v1/secrets/TOKEN", &secret).await.expect(201);
    let invited = json!({"email": "s3cret@example.com", "role": "viewer"});
    ada.post(&format!("/platform/workspaces/{workspace}/members"), &invited).await.expect(201);

    let all = entries(&ada, &format!("{log}?limit=100")).await;
    assert!(!json!(all).to_string().contains("s3cret"), "{all:?}");
    let newest =
        ["invitation.created", "secret.created", "webhook.deleted", "webhook.secret_rotated", "webhook.created"];
    assert_eq!(actions(&all)[..5], newest);
    for (filter, wanted) in [
        ("action=webhook.secret_rotated", vec!["webhook.secret_rotated"]),
        ("object_type=webhook&sort=created_at", vec!["webhook.created", "webhook.secret_rotated", "webhook.deleted"]),
        ("object_type=secret", vec!["secret.created"]),
        ("object_id=TOKEN", vec!["secret.created"]),
        ("object_id=TOKEN&action=tag.created", vec![]),
        ("to=2020-01-01T00:00:00Z", vec![]),
        ("from=2999-01-01T00:00:00Z", vec![]),
    ] {
        assert_eq!(actions(&entries(&ada, &format!("{log}?{filter}")).await), wanted, "{filter}");
    }
    let by_ada = entries(&ada, &format!("{log}?actor={}", owner.id)).await;
    assert_eq!(actions(&by_ada), ["invitation.created", "tag.updated"]);
    let by_system = entries(&ada, &format!("{log}?actor=system")).await;
    assert!(
        actions(&by_system).contains(&"workspace.created"),
        "the command line created the workspace: {by_system:?}"
    );

    let (mut walked, mut next) = (Vec::new(), format!("{log}?limit=2"));
    loop {
        let page = ada.get(&next).await.expect(200);
        walked.extend(page["data"].as_array().unwrap().clone());
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        next = format!("{log}?limit=2&cursor={cursor}");
    }
    assert_eq!(walked, all);
}

/// Owners and admins can read the log; keys, members and strangers cannot, and no client can write it.
pub async fn the_audit_log_is_for_owners_and_admins(server: &Server) {
    let workspace = server.new_workspace("Audited by few");
    let log = format!("/platform/workspaces/{workspace}/audit-log");
    let as_role = async |workspace: &str, role| Person::new(server, workspace, role).client(server).await;
    for role in ["owner", "admin"] {
        as_role(&workspace, role).await.get(&log).await.expect(200);
    }
    for role in ["member", "viewer"] {
        as_role(&workspace, role).await.get(&log).await.expect(403);
    }
    let elsewhere = server.new_workspace("Audited elsewhere");
    as_role(&elsewhere, "owner").await.get(&log).await.expect(404);
    let key = server.client().with_key(Some(&server.new_key(&workspace, "full")));
    key.get(&log).await.expect(401);
    let admin = as_role(&workspace, "admin").await;
    admin.post(&log, &json!({})).await.expect(405);
    for (query, parameter, code) in [
        ("action=tag.painted", "action", "invalid_value"),
        ("object_type=cat", "object_type", "invalid_value"),
        ("actor=", "actor", "blank"),
        ("from=yesterday", "from", "invalid_format"),
        ("who=ada", "who", "unknown_parameter"),
        ("include=total", "include", "unknown_parameter"),
    ] {
        let refused = admin.get(&format!("{log}?{query}")).await.expect(422);
        let error = &refused["errors"][0];
        assert_eq!((&error["parameter"], &error["code"]), (&json!(parameter), &json!(code)), "{query}");
    }
}

/// A sandbox has its own log, which outlives the logged objects; the live workspace logs the creation of the sandbox.
pub async fn an_emptied_sandbox_keeps_its_audit_log(server: &Server) {
    let workspace = server.new_workspace("Audited sandbox");
    let owner = Person::new(server, &workspace, "owner");
    let ada = owner.client(server).await;
    let platform = format!("/platform/workspaces/{workspace}");
    let sandbox = ada.post(&format!("{platform}/sandbox"), &json!(null)).await.expect(201);
    let own = format!("/platform/workspaces/{}", sandbox["id"].as_str().unwrap());
    let key = ada.post(&format!("{own}/api-keys"), &json!({"name": "CI", "scope": "full"})).await.expect(201);
    let client = server.client().with_key(key["key"].as_str());
    client.post("/api/v1/tags", &json!({"name": "VIP"})).await.expect(201);
    ada.post(&format!("{platform}/sandbox/reset"), &json!(null)).await.expect(200);
    let told = entries(&ada, &format!("{own}/audit-log")).await;
    assert_eq!(actions(&told), ["sandbox.reset", "tag.created", "api_key.created"]);
    assert_eq!(told[0]["actor"]["id"], json!(owner.id));
    let live = entries(&ada, &format!("{platform}/audit-log?object_type=sandbox")).await;
    assert_eq!(actions(&live), ["sandbox.created"]);
    assert_eq!(live[0]["object"]["id"], sandbox["id"]);
}

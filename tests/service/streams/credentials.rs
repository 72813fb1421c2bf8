//! A stream ends with its credential.

use std::time::Duration;

use serde_json::json;

use crate::support::{EventStream, Person, Server};

/// Covers a revoked key, an ended session, a removed member and a demoted one: within five seconds.
pub async fn ends_a_stream_when_its_credential_ends(server: &mut Server) {
    const BOUND: Duration = Duration::from_secs(5);
    let workspace = server.workspace.clone();
    let made = server.command(&["key", "create", "--workspace", &workspace, "--scope", "full", "--name", "gone"]);
    let key = made["key"].as_str().unwrap();
    let owner = Person::new(server, &workspace, "owner").client(server).await;
    let people = ["member", "member", "admin"].map(|role| Person::new(server, &workspace, role));
    let mut tokens = Vec::new();
    for person in &people {
        tokens.push(person.token(server).await);
    }
    let mut by_key = EventStream::ready(&server.base, key).await;
    let mut streams = Vec::new();
    for token in &tokens {
        streams.push(EventStream::ready(&server.base, token).await);
    }
    let [mut signed_out, mut removed, mut lowered] = streams.try_into().ok().unwrap();
    let mut stays = EventStream::ready(&server.base, &server.key).await;

    server.command(&["key", "revoke", "--workspace", &workspace, made["id"].as_str().unwrap()]);
    assert_eq!(by_key.reason(BOUND).await, "unauthorized");
    let client = server.client().with_key(Some(&tokens[0]));
    client.post("/auth/logout", &json!({})).await.expect(204);
    assert_eq!(signed_out.reason(BOUND).await, "unauthorized");
    let member = |person: &Person| format!("/platform/workspaces/{workspace}/members/{}", person.id);
    owner.call("DELETE", &member(&people[1]), None).await.expect(204);
    assert_eq!(removed.reason(BOUND).await, "unauthorized");
    owner.call("PATCH", &member(&people[2]), Some(&json!({"role": "viewer"}))).await.expect(200);
    assert_eq!(lowered.reason(BOUND).await, "access_changed");

    server.client().post("/api/v1/contacts", &json!({"external_id": "ada"})).await.expect(201);
    assert_eq!(stays.until(|it| it.id.is_some()).await.event, "contact.created", "other streams stay open");
    // Each thread caches a key for a few seconds.
    server.client().with_key(Some(key)).until_refused("/api/v1/me").await;
    assert_eq!(EventStream::ask(&server.base, key, None, None).await.status(), 401);
}

//! Reply times of members, by member and by channel.

use serde_json::{Value, json};

use crate::support::people::Person;
use crate::support::{Client, Server};

/// A sandbox with waiting contacts.
struct Desk {
    client: Client,
    sandbox: String,
}

impl Desk {
    /// Sends a message of a contact; returns the conversation.
    async fn hear(&self, text: &str) -> String {
        let said = json!({"contact": "ada", "text": text});
        let message = self.client.post("/api/v1/sandbox/inbound", &said).await.expect(202);
        let path = format!("/api/v1/conversations?contact_id={}", message["contact_id"].as_str().unwrap());
        let found = self.client.until(&path, |page| page["data"][0]["waiting_since"].is_string()).await;
        found["data"][0]["id"].as_str().unwrap().to_owned()
    }

    async fn advance(&self, by: &str) {
        self.client.post("/api/v1/sandbox/clock", &json!({"advance": by})).await.expect(200);
    }

    /// Sends a request of a member to the sandbox.
    async fn act(&self, member: &Client, path: &str, body: Option<&Value>, status: u16) {
        let mut headers = vec![("x-workspace-id", self.sandbox.as_str())];
        headers.extend(body.map(|_| ("content-type", "application/json")));
        let body = body.map(|it| it.to_string().into_bytes());
        member.send("POST", path, &headers, body).await.unwrap().expect(status);
    }
}

fn is_near(seconds: &Value, expected: f64) -> bool {
    seconds.as_f64().is_some_and(|it| (it / expected - 1.0).abs() < 0.15)
}

/// Members are measured, keys are not; each opening of a conversation has one first reply; a removed member has no
/// name.
pub async fn reply_times_are_measured_by_member_and_channel(server: &Server) {
    let workspace = server.new_workspace("Reply times");
    let owner = Person::new(server, &workspace, "owner").client(server).await;
    let agent = Person::new(server, &workspace, "member");
    let member = agent.client(server).await;
    let (client, sandbox) = server.new_sandbox(&owner, &workspace).await;
    let desk = Desk { client, sandbox };
    let now = async || {
        let clock = desk.client.get("/api/v1/sandbox/clock").await.expect(200);
        clock["now"].as_str().unwrap().to_owned()
    };
    let began = now().await;
    let none = desk.client.get("/api/v1/analytics/replies").await.expect(200);
    assert_eq!((&none["by_agent"], &none["by_channel"]), (&json!([]), &json!([])));
    let nothing = json!({"count": 0, "median_seconds": null, "p90_seconds": null});
    assert_eq!(none["totals"], json!({"first_reply": nothing, "resolution": nothing}));

    let hi = json!({"type": "text", "text": "Hi"});
    let conversation = format!("/api/v1/conversations/{}", desk.hear("Hello").await);
    let messages = format!("{conversation}/messages");
    desk.advance("PT10M").await;
    desk.act(&member, &messages, Some(&hi), 202).await;
    desk.hear("And another thing").await;
    desk.advance("PT30M").await;
    desk.act(&member, &messages, Some(&hi), 202).await;
    desk.advance("PT20M").await;
    desk.act(&member, &format!("{conversation}/resolve"), None, 200).await;
    // It is already resolved, so nothing is counted again.
    desk.act(&member, &format!("{conversation}/resolve"), None, 200).await;
    // The conversation is opened again; a key replies and resolves it.
    desk.hear("Hello again").await;
    desk.client.post(&messages, &hi).await.expect(202);
    desk.client.call("POST", &format!("{conversation}/resolve"), None).await.expect(200);

    let range = format!("/api/v1/analytics/replies?from={began}&to={}", now().await);
    let is_counted = |it: &Value| it["totals"]["first_reply"]["count"] == 1 && it["totals"]["resolution"]["count"] == 1;
    let found = desk.client.until(&range, is_counted).await;
    for part in [&found["totals"], &found["by_agent"][0], &found["by_channel"][0]] {
        assert!(is_near(&part["first_reply"]["median_seconds"], 600.0), "{found}");
        assert!(is_near(&part["resolution"]["p90_seconds"], 3_600.0), "{found}");
    }
    let of_agent = &found["by_agent"][0];
    assert_eq!((&of_agent["user_id"], found["by_agent"].as_array().unwrap().len()), (&json!(agent.id), 1));
    assert!(of_agent["name"].is_string() && found["by_channel"].as_array().unwrap().len() == 1, "{found}");

    owner.delete(&format!("/platform/workspaces/{workspace}/members/{}", agent.id)).await.expect(204);
    let left = desk.client.get(&range).await.expect(200);
    assert_eq!((&left["by_agent"][0]["user_id"], &left["by_agent"][0]["name"]), (&json!(agent.id), &Value::Null));
    let early = desk.client.get("/api/v1/analytics/replies?from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z").await;
    assert_eq!(early.expect(200)["by_agent"], json!([]));
    for query in
        ["from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z", "from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z"]
    {
        let refused = desk.client.get(&format!("/api/v1/analytics/replies?{query}")).await.expect(422);
        assert_eq!(refused["errors"][0]["parameter"], "from", "{query}");
    }
}

//! Users who may read the request log get a hint about new requests.

use std::time::Instant;

use serde_json::{Value, json};

use crate::support::{Client, EventStream, Person, Server};

const MANY: usize = 100;

/// The log of a workspace, and a second workspace. Requests to the second show when the log was written.
struct Log {
    owner: Client,
    path: String,
    elsewhere: Client,
    path_elsewhere: String,
}

impl Log {
    async fn of(server: &Server, owner: Client) -> Self {
        let (key, _) = super::sandbox(server).await;
        let elsewhere = server.client().with_key(Some(&key));
        let sandbox = elsewhere.get("/api/v1/me").await.expect(200)["workspace"]["id"].as_str().unwrap().to_owned();
        let path = |workspace: &str| format!("/platform/workspaces/{workspace}/usage");
        Self { owner, path: path(&server.workspace), elsewhere, path_elsewhere: path(&sandbox) }
    }

    /// Waits until all requests so far are logged and their hints sent. Hints are sent before later requests are
    /// logged.
    async fn is_written(&self) {
        for _ in 0..2 {
            let asked = self.elsewhere.get("/api/v1/me").await;
            let id = asked.header("x-request-id").unwrap();
            let is_there = |list: &Value| list["data"][0].is_object();
            self.owner.until(&format!("{}?request_id={id}", self.path_elsewhere), is_there).await;
        }
    }
}

/// Counts the hints of requests before the hint of this tag, which comes first if both are pending; fails on any other
/// event.
async fn told_before_a_tag(stream: &mut EventStream, tag: &Value) -> usize {
    let mut told = 0;
    loop {
        let next = stream.next().await;
        assert_eq!(next.event, "changed", "{next:?}");
        if next.data["changed"]["id"] == tag["id"] {
            return told;
        }
        assert_eq!(next.data["changed"], json!({"type": "request", "id": null, "version": null}));
        told += 1;
    }
}

/// A request of a key is a hint for an owner, but not for a member or a key. Reading the log causes no hint, and a
/// burst causes at most one per second.
pub async fn sends_request_hints_only_to_readers_of_the_log(server: &mut Server) {
    let [owner, member] = ["owner", "member"].map(|role| Person::new(server, &server.workspace, role));
    let (owner, member) = (owner.token(server).await, member.token(server).await);
    let log = Log::of(server, server.client().with_key(Some(&owner))).await;
    let client = server.client();
    let tag = async |name: &str| client.post("/api/v1/tags", &json!({"name": name})).await.expect(201);
    log.is_written().await;

    let mut streams = Vec::new();
    for credential in [&owner, &member, &server.key] {
        streams.push(EventStream::ready(&server.base, credential).await);
    }
    log.is_written().await;
    let opened = tag("opened").await;
    assert_eq!(told_before_a_tag(&mut streams[0], &opened).await, 0, "opening a stream causes no hint");
    assert_eq!(streams[0].hint("request").await, json!({"type": "request", "id": null, "version": null}));

    for rest in ["", "/summary", "/histogram", "/errors", "/keys", "/export"] {
        log.owner.get(&format!("{}{rest}", log.path)).await;
    }
    log.is_written().await;
    let read = tag("read").await;
    assert_eq!(told_before_a_tag(&mut streams[0], &read).await, 0, "reading the log causes no hint");

    let began = Instant::now();
    for _ in 0..MANY {
        client.get("/api/v1/event-types").await.expect(200);
    }
    log.is_written().await;
    let many = tag("many").await;
    let told = told_before_a_tag(&mut streams[0], &many).await;
    let most = usize::try_from(began.elapsed().as_secs()).unwrap() + 2;
    assert!((1..=most).contains(&told), "{told} in {:?}", began.elapsed());

    for stream in &mut streams[1..] {
        for tag in [&opened, &read, &many] {
            assert_eq!(told_before_a_tag(stream, tag).await, 0, "no hint is sent to callers who may not read the log");
        }
    }
}

//! The set-up of a channel, which its check connects.

use serde_json::{Value, json};

use super::{APP_SECRET, GraphApi, Line, PUBLIC, TOKEN, a_channel, text};
use crate::support::{Server, Store};

pub(super) async fn a_channel_is_stored_first_and_connected_by_its_check(store: Store) {
    let mut server = Server::start(store, &[]);
    let api = GraphApi::start(&server).await;
    let made = server.client().post("/api/v1/channels", &a_channel(&api)).await.expect(201);
    assert_eq!((&made["status"], &made["capabilities"]["receipts"]), (&json!("connecting"), &json!(true)));
    assert!(api.meta.lock().unwrap().calls.is_empty(), "no call is made before the channel is stored");
    let path = format!("/api/v1/channels/{}", text(&made["id"]));
    let refused = server.client().call("POST", &format!("{path}/connect"), None).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "no_public_url"), "{}", refused.text);
    server.client().delete(&path).await;
    server.kill();
    server.set(PUBLIC.0, PUBLIC.1);
    server.serve();
    api.meta.lock().unwrap().server = server.base.clone();

    let line = Line::open(&server, &api).await;
    let stored = line.client.get(&line.path()).await.expect(200);
    assert_eq!(stored["config"]["display_phone_number"], "+49 171 1234567");
    let again = line.client.post("/api/v1/channels", &a_channel(&api)).await;
    assert_eq!((again.status, again.code().as_str()), (409, "account_in_use"), "{}", again.text);
    let version = line.turn("connect").await.expect(200)["version"].clone();
    assert_eq!(line.client.get(&line.path()).await.expect(200)["version"], version);
    let tested = line.turn("test").await.expect(200);
    assert_eq!((&tested["succeeded"], &tested["status"]), (&json!(true), &json!(200)), "{tested}");
    let patch = async |body: Value| line.client.call("PATCH", &line.path(), Some(&body)).await;
    let fixed = patch(json!({"config": {"phone_number_id": "1"}})).await.expect(422);
    assert_eq!(fixed["errors"][0]["code"], "immutable", "{fixed}");
    let wrong = patch(json!({"secrets": {"access_token": "EAAJwrong"}})).await.expect(422);
    assert_eq!(
        (&wrong["errors"][0]["pointer"], &wrong["errors"][0]["code"]),
        (&json!("/secrets/access_token"), &json!("rejected"))
    );

    // A request with another token is no check of Meta.
    for query in ["", "?hub.mode=subscribe&hub.challenge=1&hub.verify_token=guess"] {
        let asked = line.nobody.send("GET", &format!("{}{query}", line.inbound), &[], None).await.unwrap();
        assert_eq!((asked.status, asked.text.as_str()), (403, ""), "{query}");
    }
    assert_eq!(line.turn("disconnect").await.expect(200)["status"], "disconnected");
    assert_eq!(api.callback(), None);
    api.meta.lock().unwrap().is_revoked = true;
    let failed = line.turn("connect").await;
    assert_eq!((failed.status, failed.code().as_str()), (409, "setup_failed"), "{}", failed.text);
    assert_eq!((&failed.json()["step"], &failed.json()["provider_code"]), (&json!("read_number"), &json!("190")));
    assert_eq!(line.turn("test").await.expect(200)["succeeded"], false);
    for secret in [TOKEN, APP_SECRET, "EAAJwrong"] {
        assert!(!server.log().contains(secret), "the log contains a secret");
    }
}

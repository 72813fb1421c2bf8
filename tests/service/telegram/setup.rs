//! The set-up of a channel with a webhook, and the replacement of its token.

use serde_json::{Value, json};

use super::{BotApi, Line, OTHER, PUBLIC, RENEWED, TOKEN, a_channel};
use crate::support::{Client, Server, Store};

pub(super) async fn a_channel_is_stored_only_if_telegram_accepts_the_token(store: Store) {
    let mut server = Server::start(store, &[]);
    let api = BotApi::start().await;
    let count = async |client: &Client| {
        let list = client.get("/api/v1/channels").await.expect(200);
        list["data"].as_array().unwrap().iter().filter(|it| it["kind"] == "telegram").count()
    };
    let unknown = server.client().post("/api/v1/channels", &a_channel(&api, TOKEN)).await;
    assert_eq!((unknown.status, unknown.code().as_str()), (409, "no_public_url"), "{}", unknown.text);
    assert!(unknown.text.contains("http.public_url"), "{}", unknown.text);
    assert_eq!(count(&server.client()).await, 0);
    server.kill();
    server.set(PUBLIC.0, PUBLIC.1);
    server.serve();
    let client = server.client();
    for token in ["110201543:wrong", "no token"] {
        let refused = client.post("/api/v1/channels", &a_channel(&api, token)).await.expect(422);
        let error = &refused["errors"][0];
        assert_eq!(
            (&error["pointer"], &error["code"]),
            (&json!("/secrets/bot_token"), &json!("rejected")),
            "{refused}"
        );
    }
    let unknown = json!({"kind": "telegram", "config": {"mode": "push"}, "secrets": {"bot_token": TOKEN}});
    let refused = client.post("/api/v1/channels", &unknown).await.expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/config/mode");
    let refused = client.post("/api/v1/channels", &json!({"kind": "telegram"})).await.expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/secrets/bot_token");
    assert_eq!(count(&client).await, 0);
    assert!(api.webhook(TOKEN).is_none());

    let line = Line::open(&server, &api, TOKEN).await;
    let stored = client.get(&line.path()).await.expect(200);
    assert_eq!((&stored["config"]["bot_username"], &stored["kind"]), (&json!("b110201543_bot"), &json!("telegram")));
    let again = client.post("/api/v1/channels", &a_channel(&api, TOKEN)).await;
    assert_eq!((again.status, again.code().as_str()), (409, "account_in_use"), "{}", again.text);
    assert_eq!(again.json()["existing_id"], line.channel.as_str());
    let tested = client.call("POST", &format!("{}/test", line.path()), None).await.expect(200);
    assert_eq!((&tested["succeeded"], &tested["status"]), (&json!(true), &json!(200)), "{tested}");

    // The token is replaced by a new one of the same bot.
    let patch = async |token: &str| {
        let body = json!({"secrets": {"bot_token": token}});
        client.call("PATCH", &line.path(), Some(&body)).await
    };
    assert_eq!(patch("110201543:wrong").await.expect(422)["errors"][0]["code"], "rejected");
    assert_eq!(patch(OTHER).await.expect(422)["errors"][0]["code"], "immutable");
    patch(RENEWED).await.expect(200);
    api.bots.lock().unwrap().revoked.push(TOKEN.to_owned());
    let webhook = api.webhook(RENEWED).unwrap();
    assert_eq!(webhook["secret_token"], line.secret.as_str(), "the secret of the webhook stays");
    line.says(1, "Hello").await;

    let turn = async |to: &str| client.call("POST", &format!("{}/{to}", line.path()), None).await;
    assert_eq!(turn("disconnect").await.expect(200)["status"], "disconnected");
    assert!(api.webhook(RENEWED).is_none());
    assert_eq!(turn("connect").await.expect(200)["status"], "connected");
    assert!(api.webhook(RENEWED).is_some());
    let version = turn("connect").await.expect(200)["version"].clone();
    assert_eq!(client.get(&line.path()).await.expect(200)["version"], version);
    api.bots.lock().unwrap().revoked.push(RENEWED.to_owned());
    let failed = turn("connect").await;
    assert_eq!((failed.status, failed.code().as_str()), (409, "setup_failed"), "{}", failed.text);
    assert_eq!((&failed.json()["step"], &failed.json()["provider_code"]), (&json!("get_me"), &json!("401")));
    let tested = turn("test").await.expect(200);
    assert_eq!(tested["succeeded"], false, "{tested}");
    // The test makes the server look again at once. New messages wait until an admin has replaced the token.
    let lost = client.until(&line.path(), |it| it["status"] == "disconnected").await;
    assert_eq!(lost["health"]["problems"][0]["code"], "invalid_token", "{lost}");
    let has_reason = |it: &Value| {
        let events = it["data"].as_array().unwrap();
        events.iter().any(|event| event["data"]["reason"] == "invalid_token")
    };
    client.until("/api/v1/events?types=channel.disconnected", has_reason).await;
    api.bots.lock().unwrap().revoked.clear();
    let back = turn("connect").await.expect(200);
    assert_eq!((&back["status"], &back["health"]["state"]), (&json!("connected"), &json!("ok")), "{back}");
    let deleted = client.delete(&format!("{}?force=true", line.path())).await;
    assert!([200, 204].contains(&deleted.status), "{}", deleted.text);
    assert!(api.webhook(RENEWED).is_none());
    for token in [TOKEN, RENEWED, OTHER] {
        assert!(!server.log().contains(token.split(':').nth(1).unwrap()), "the log contains a token");
    }
}

//! The set-up of a channel, whose log-in is checked, and changes of its settings.

use serde_json::{Value, json};

use super::{Line, MailServer, SETTINGS, USER, a_channel};
use crate::support::{Server, Store};

pub(super) async fn a_channel_is_stored_only_if_the_log_in_works(store: Store) {
    let mail = MailServer::start().await;
    let mut server = Server::start(store, &SETTINGS[1..]);
    let refused = server.client().post("/api/v1/channels", &a_channel(&mail, "basic")).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "no_public_url"), "{}", refused.text);
    server.kill();
    server.set(SETTINGS[0].0, SETTINGS[0].1);
    server.serve();
    let client = server.client();
    let with = |pointer: &str, value: Value| {
        let mut channel = a_channel(&mail, "basic");
        *channel.pointer_mut(pointer).unwrap() = value;
        channel
    };
    for (channel, pointer, code) in [
        (with("/secrets/smtp_password", json!("wrong")), "/secrets/smtp_password", "rejected"),
        (with("/config/smtp", json!({})), "/config/smtp/host", "required"),
        (with("/config/smtp/port", json!("x")), "/config/smtp/port", "wrong_type"),
        (with("/config/from", json!({"address": "a@b.example", "mail": "x"})), "/config/from/mail", "unknown_field"),
        (with("/config/inbound/auth", json!("none")), "/config/inbound/auth", "invalid_value"),
    ] {
        let refused = client.post("/api/v1/channels", &channel).await.expect(422);
        let error = &refused["errors"][0];
        assert_eq!((&error["pointer"], &error["code"]), (&json!(pointer), &json!(code)), "{refused}");
    }
    let inside = client.post("/api/v1/channels", &with("/config/smtp/host", json!("10.0.0.1"))).await.expect(409);
    assert_eq!((&inside["code"], &inside["step"]), (&json!("setup_failed"), &json!("address")), "{inside}");

    let line = Line::open(&server, &mail).await;
    assert!(line.secret.starts_with("whsec_"));
    let stored = client.get(&line.path).await;
    assert!(!stored.text.contains(&line.secret) && !stored.text.contains(USER.1), "{}", stored.text);
    assert_eq!(stored.expect(200)["config"]["from"], json!({"address": "hello@shop.example", "name": "The Shop"}));
    let reader = client.with_key(Some(&server.new_key(&server.workspace, "read")));
    let seen = reader.get(&line.path).await.expect(200);
    assert_eq!((&seen["config"]["smtp"], &seen["inbound_path"]), (&Value::Null, &Value::Null), "{seen}");
    let tested = client.call("POST", &format!("{}/test", line.path), None).await.expect(200);
    assert_eq!((&tested["succeeded"], &tested["status"]), (&json!(true), &json!(250)), "{tested}");

    let patch = async |body: Value| client.call("PATCH", &line.path, Some(&body)).await;
    let moved = patch(json!({"config": {"smtp": {"host": "smtp.example.com"}}})).await.expect(422);
    let error = &moved["errors"][0];
    assert_eq!((&error["pointer"], &error["code"]), (&json!("/secrets/smtp_user"), &json!("required")), "{moved}");
    let renamed = patch(json!({"config": {"from": {"address": "other@shop.example"}}})).await.expect(422);
    let error = &renamed["errors"][0];
    assert_eq!((&error["pointer"], &error["code"]), (&json!("/config/from/address"), &json!("immutable")), "{renamed}");
    let named = patch(json!({"config": {"from": {"name": "Shop"}}})).await.expect(200);
    assert_eq!(named["config"]["from"], json!({"address": "hello@shop.example", "name": "Shop"}));
    let wrong = patch(json!({"secrets": {"smtp_password": "wrong"}})).await.expect(422);
    assert_eq!(wrong["errors"][0]["pointer"], "/secrets/smtp_password");

    let connections = mail.connections();
    for (to, status) in [("disconnect", "disconnected"), ("connect", "connected")] {
        let turned = client.call("POST", &format!("{}/{to}", line.path), None).await.expect(200);
        assert_eq!(turned["status"], status);
    }
    assert!(mail.connections() > connections, "a connection is checked when it is made again");
    assert_eq!(mail.mails(), Vec::<String>::new(), "a check sends no mail");
    for secret in [USER.1, line.secret.as_str()] {
        assert!(!server.log().contains(secret), "the log contains a secret");
    }
}

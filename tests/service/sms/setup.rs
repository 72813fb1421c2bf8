//! The set-up of a channel with a number or a messaging service, and changes of its secrets.

use serde_json::{Value, json};

use super::{
    ADA, KEY, Line, NUMBER, OTHER, OVERRIDES, PUBLIC, RENEWED, SERVICE, SID, TOKEN, Twilio, a_channel, member, sign,
    text, written,
};
use crate::support::{Server, Store};

pub(super) async fn a_channel_is_stored_only_if_twilio_accepts_it(store: Store) {
    let mut server = Server::start(store, &[]);
    let twilio = Twilio::start().await;
    let unknown = server.client().post("/api/v1/channels", &a_channel(&twilio, NUMBER, TOKEN)).await;
    assert_eq!((unknown.status, unknown.code().as_str()), (409, "no_public_url"), "{}", unknown.text);
    server.kill();
    server.set(PUBLIC.0, PUBLIC.1);
    server.serve();
    let client = server.client();
    let create = async |change: fn(&mut Value)| {
        let mut body = a_channel(&twilio, NUMBER, TOKEN);
        change(&mut body);
        client.post("/api/v1/channels", &body).await
    };
    type Change = fn(&mut Value);
    let cases: [(Change, &str, &str); 8] = [
        (|it| it["secrets"]["auth_token"] = json!("wrong"), "/secrets/auth_token", "rejected"),
        (|it| it["secrets"] = json!({}), "/secrets/auth_token", "required"),
        (|it| it["secrets"]["api_key"] = json!({"sid": KEY.0}), "/secrets/api_key/secret", "required"),
        (|it| it["secrets"]["api_key"] = json!({"sid": SID, "secret": "x"}), "/secrets/api_key/sid", "invalid_format"),
        (|it| it["config"]["account_sid"] = json!("AC1"), "/config/account_sid", "invalid_format"),
        (|it| it["config"]["from"] = json!("15005550006"), "/config/from", "invalid_format"),
        (|it| it["config"]["messaging_service_sid"] = json!(SERVICE), "/config/messaging_service_sid", "not_allowed"),
        (|it| it["config"]["provider"] = json!("pigeon"), "/config/provider", "invalid_value"),
    ];
    for (change, pointer, code) in cases {
        let refused = create(change).await.expect(422);
        let error = &refused["errors"][0];
        assert_eq!((&error["pointer"], &error["code"]), (&json!(pointer), &json!(code)), "{refused}");
    }
    let failed = create(|it| it["config"]["from"] = json!("+15005550008")).await;
    assert_eq!((failed.status, failed.code().as_str()), (409, "setup_failed"), "{}", failed.text);
    assert_eq!(failed.json()["step"], "read_number");
    assert_eq!(twilio.address(NUMBER), "");

    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    assert_eq!(twilio.address(NUMBER), format!("{}{}{OVERRIDES}", PUBLIC.1, line.inbound));
    let again = client.post("/api/v1/channels", &a_channel(&twilio, NUMBER, TOKEN)).await;
    assert_eq!((again.status, again.code().as_str()), (409, "account_in_use"), "{}", again.text);
    let other = Line::open(&server, &a_channel(&twilio, OTHER, TOKEN)).await;
    assert_ne!(other.inbound, line.inbound, "two numbers of an account have two channels");

    let turn = async |to: &str| client.call("POST", &format!("{}/{to}", line.path()), None).await;
    let tested = turn("test").await.expect(200);
    assert_eq!((&tested["succeeded"], &tested["status"]), (&json!(true), &json!(200)), "{tested}");
    assert!(!tested.to_string().contains(TOKEN), "Twilio returns the token with the account: {tested}");
    let patch = async |body: Value| client.call("PATCH", &line.path(), Some(&body)).await;
    let fixed = patch(json!({"config": {"from": OTHER}})).await.expect(422);
    assert_eq!(fixed["errors"][0]["code"], "immutable");
    assert_eq!(patch(json!({"secrets": {"auth_token": "wrong"}})).await.expect(422)["errors"][0]["code"], "rejected");
    twilio.account.lock().unwrap().token = RENEWED.to_owned();
    let tested = turn("test").await.expect(200);
    assert_eq!(tested["succeeded"], false, "{tested}");
    patch(json!({"secrets": {"auth_token": RENEWED}})).await.expect(200);
    let form = written("SM1", "Hello");
    let reply = line.calls(&line.inbound, &form, Some(&sign(RENEWED, &line.inbound, &form))).await;
    assert_eq!(reply.status, 200, "{}", reply.text);

    assert_eq!(turn("disconnect").await.expect(200)["status"], "disconnected");
    assert_eq!(twilio.address(NUMBER), "");
    assert_eq!(turn("connect").await.expect(200)["status"], "connected");
    assert!(twilio.address(NUMBER).contains(&line.inbound));
    twilio.account.lock().unwrap().status = "suspended";
    let failed = turn("connect").await;
    assert_eq!((failed.status, failed.code().as_str()), (409, "setup_failed"), "{}", failed.text);
    twilio.account.lock().unwrap().status = "active";
    let deleted = client.delete(&format!("{}?force=true", line.path())).await;
    assert!([200, 204].contains(&deleted.status), "{}", deleted.text);
    assert_eq!(twilio.address(NUMBER), "");
    for secret in [TOKEN, RENEWED, ADA] {
        assert!(!server.log().contains(secret), "the log contains {secret}");
    }
}

pub(super) async fn a_messaging_service_is_compared_and_not_changed(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let mut body = a_channel(&twilio, NUMBER, TOKEN);
    body["config"].as_object_mut().unwrap().remove("from");
    body["config"]["messaging_service_sid"] = json!(SERVICE);
    body["secrets"]["api_key"] = json!({"sid": KEY.0, "secret": KEY.1});
    let line = Line::open(&server, &body).await;
    let test = async || line.client.call("POST", &format!("{}/test", line.path()), None).await.expect(200);
    let tested = test().await;
    assert!(text(&tested["error"]).contains("messaging service to another address"), "{tested}");
    let url = format!("{}{}", PUBLIC.1, line.inbound);
    twilio.account.lock().unwrap().addresses.push((SERVICE.to_owned(), url));
    assert_eq!(test().await["succeeded"], true);

    let mut form = written("SM1", "Hello");
    form.push(("MessagingServiceSid", SERVICE));
    line.signed(&line.inbound, &form).await;
    let contact = line.only_contact().await;
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    line.client.post(&send, &json!({"type": "text", "text": "Hi"})).await.expect(202);
    let sent = twilio.sent(1).await.remove(0);
    assert_eq!((member(&sent, "MessagingServiceSid"), member(&sent, "From")), (Some(SERVICE), None));
}

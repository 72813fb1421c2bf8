//! The token of a channel, the registration of its webhook, and its health.

use super::*;

#[tokio::test]
async fn registers_its_webhook_and_removes_only_its_own() {
    let url = format!("https://tidings.example{PATH}");
    let stored = url.clone();
    let api = TestApi::start(move |call| match call.name().as_str() {
        "POST getMe" => ok(json!({"id": 110_201_543, "username": "acme_bot"})),
        "POST getWebhookInfo" => ok(json!({"url": stored})),
        _ => ok(json!(true)),
    })
    .await;
    let channel = a_channel(&api.url);
    let reported = connector().connect(&channel, &url).await.unwrap();
    assert_eq!(Value::Object(reported), json!({"bot_username": "acme_bot"}));
    assert_eq!(api.names(), ["POST getMe", "POST setWebhook", "POST getWebhookInfo"]);
    let webhook = &api.calls()[1].body;
    assert_eq!((&webhook["url"], &webhook["secret_token"]), (&json!(url), &json!("s3cret")));
    assert_eq!(
        webhook["allowed_updates"],
        json!(["message", "edited_message", "message_reaction", "callback_query", "my_chat_member"])
    );
    assert_eq!(webhook["drop_pending_updates"], json!(false));
    assert_eq!(connector().test(&channel).await.error, None);
    connector().disconnect(&channel).await;
    assert_eq!(api.names().last().map(String::as_str), Some("POST deleteWebhook"));

    let api = TestApi::start(|_| ok(json!({"url": "https://other.example/bot"}))).await;
    let channel = a_channel(&api.url);
    connector().disconnect(&channel).await;
    assert_eq!(api.names(), ["POST getWebhookInfo"]);
    let taken = connector().connect(&channel, &url).await.unwrap_err();
    assert_eq!((taken.step, taken.secret), ("get_webhook_info", None));
    let error = connector().test(&channel).await.error.unwrap();
    assert!(error.contains("another address"), "{error}");
}

#[tokio::test]
async fn names_the_token_if_telegram_rejects_it() {
    let api = TestApi::start(|_| error(401, "Unauthorized")).await;
    let failure = connector().connect(&a_channel(&api.url), "https://tidings.example/inbound/x").await.unwrap_err();
    assert_eq!((failure.step, failure.secret), ("get_me", Some("bot_token")));
    assert_eq!(failure.provider_code.as_deref(), Some("401"));
    let api = TestApi::start(|call| match call.name().as_str() {
        "POST getMe" => ok(json!({"username": "acme_bot"})),
        _ => error(400, "Bad Request: bad webhook: HTTPS url must be provided for webhook"),
    })
    .await;
    let failure = connector().connect(&a_channel(&api.url), "http://tidings.example/inbound/x").await.unwrap_err();
    assert_eq!((failure.step, failure.secret), ("set_webhook", None));
    assert!(failure.hint.contains("HTTPS url must be provided"), "{}", failure.hint);
}

#[test]
fn a_token_is_an_id_and_a_secret() {
    assert_eq!(bot_id(TOKEN), Some("110201543"));
    for wrong in ["", ":", "1:", ":a", "x:a", "1:a/../b", "1:a?b", "1:a b", "1"] {
        assert_eq!(bot_id(wrong), None, "{wrong}");
    }
}

#[tokio::test]
async fn the_health_names_the_problems_of_the_webhook() {
    let url = format!("https://tidings.example{PATH}");
    let broken = json!({"url": url, "pending_update_count": 3, "last_error_message": "Wrong\0 response"});
    let healed = json!({"url": url, "pending_update_count": 0, "last_error_message": "Earlier"});
    let taken = json!({"url": "https://other.example/x", "pending_update_count": 0});
    for (act, codes, ok) in [
        (ok(healed), vec![], Some(true)),
        (ok(broken), vec![("webhook_failing", false)], Some(false)),
        (ok(taken), vec![("webhook_taken", false)], Some(false)),
        (error(401, "Unauthorized"), vec![("invalid_token", true)], None),
        (error(502, "Bad gateway"), vec![("provider_unavailable", false)], None),
    ] {
        let Act::Answer(status, body) = act else { panic!("an answer") };
        let api = TestApi::start(move |_| Act::Answer(status, body.clone())).await;
        let health = connector().health(&a_channel(&api.url)).await;
        let problems: Vec<_> = health.problems.iter().map(|it| (it.code, it.ends_sending)).collect();
        assert_eq!((problems, health.webhook.ok), (codes, ok), "{health:?}");
        assert_eq!(api.names(), ["POST getWebhookInfo"]);
        assert!(!format!("{health:?}").contains("AAHdq"), "{health:?}");
        assert!(health.webhook.last_error.is_none_or(|error| !error.contains('\0')));
    }
}

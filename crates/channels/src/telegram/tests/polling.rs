//! Bots without a webhook: set-up, fetched updates, and problems.

use super::*;

fn a_polled_channel(base_url: &str) -> Channel {
    let secrets = json!({"bot_token": TOKEN, "echo_secret": "s3cret"});
    channel_of(TELEGRAM.kind, json!({"base_url": base_url, "mode": "polling"}), &secrets)
}

/// An update with this ID, and a text that JSON escapes.
fn an_update(id: i64) -> Value {
    let (chat, from) = (json!({"id": 42, "type": "private"}), json!({"id": 42, "is_bot": false}));
    json!({"update_id": id, "message": {"message_id": id, "chat": chat, "from": from, "text": "„Hi“\n🦀"}})
}

#[tokio::test]
async fn fetches_the_updates_after_a_number() {
    let api = TestApi::start(|_| ok(json!([an_update(8), {"update_id": "odd"}, an_update(9)]))).await;
    let (connector, channel) = (connector(), a_polled_channel(&api.url));
    let polled = connector.poll(&channel, Some(7), Duration::ZERO).await.unwrap();
    let numbers: Vec<i64> = polled.requests.iter().map(|it| it.number).collect();
    assert_eq!((numbers, polled.has_more), (vec![8, 9], false));
    let [InboundEvent::Message(message)] = &connector.parse(&channel, &polled.requests[0].request).unwrap()[..] else {
        panic!("{polled:?}")
    };
    assert_eq!((message.id.as_str(), message.content.text.as_deref()), ("42:8", Some("„Hi“\n🦀")));
    connector.poll(&channel, None, Duration::from_secs(5)).await.unwrap();
    let calls = api.calls();
    assert_eq!(api.names(), ["POST getUpdates", "POST getUpdates"]);
    let types = json!(["message", "edited_message", "message_reaction", "callback_query", "my_chat_member"]);
    let expected = json!({"offset": 8, "limit": 20, "timeout": 0, "allowed_updates": types});
    assert_eq!(calls[0].body, expected);
    assert_eq!((calls[1].body.get("offset"), &calls[1].body["timeout"]), (None, &json!(5)));
}

#[tokio::test]
async fn a_full_answer_has_more_updates() {
    let updates: Vec<Value> = (1..=20).map(an_update).collect();
    let api = TestApi::start(move |_| ok(json!(updates))).await;
    let polled = connector().poll(&a_polled_channel(&api.url), None, Duration::ZERO).await.unwrap();
    assert_eq!((polled.requests.len(), polled.has_more), (20, true));
}

/// The server calls the provider for all pressed buttons of a poll at once.
#[tokio::test]
async fn leaves_updates_above_the_limit_to_the_next_poll() {
    let updates: Vec<Value> = (1..=30).map(an_update).collect();
    let api = TestApi::start(move |_| ok(json!(updates))).await;
    let polled = connector().poll(&a_polled_channel(&api.url), None, Duration::ZERO).await.unwrap();
    let last = polled.requests.last().map(|it| it.number);
    assert_eq!((polled.requests.len(), last, polled.has_more), (20, Some(20), true));
}

/// An update with a text of this size.
fn a_large_update(id: i64, megabytes: usize) -> Value {
    let mut update = an_update(id);
    update["message"]["text"] = json!("x".repeat(megabytes * 1024 * 1024));
    update
}

/// 20 updates can be larger than other responses.
#[tokio::test]
async fn reads_responses_of_up_to_3_mib() {
    let api = TestApi::start(|_| ok(json!([a_large_update(1, 2)]))).await;
    assert_eq!(connector().poll(&a_polled_channel(&api.url), None, Duration::ZERO).await.unwrap().requests.len(), 1);
    assert_eq!(api.names(), ["POST getUpdates"]);
}

/// Otherwise a larger update would stop those behind it for good.
#[tokio::test]
async fn skips_an_update_above_3_mib() {
    let size = |id: i64| if id == 8 { 4 } else { 1 };
    let api = TestApi::start(move |call| {
        let (from, limit) = (call.body["offset"].as_i64().unwrap(), call.body["limit"].as_u64().unwrap());
        let ids = (from..=9).take(usize::try_from(limit).unwrap());
        ok(json!(ids.map(|id| a_large_update(id, size(id))).collect::<Vec<_>>()))
    })
    .await;
    let (connector, channel) = (connector(), a_polled_channel(&api.url));
    let poll = async |after: i64| {
        let mut polled = connector.poll(&channel, Some(after), Duration::ZERO).await.unwrap();
        let request = polled.requests.pop().unwrap();
        assert!(polled.requests.is_empty());
        let refusal = connector.parse(&channel, &request.request).err();
        (request.number, polled.has_more, refusal)
    };
    assert_eq!(poll(6).await, (7, true, None));
    let detail = "the update is larger than 3 MiB".to_owned();
    assert_eq!(poll(7).await, (8, true, Some(Refusal::Malformed { detail })));
    assert_eq!(poll(8).await, (9, false, None));
    let limits: Vec<Value> = api.calls().iter().map(|call| call.body["limit"].clone()).collect();
    assert_eq!(limits, [20, 1, 20, 1, 20]);
}

/// Another Bot API server can ignore the limit. The first of several updates may be a small one.
#[tokio::test]
async fn skips_no_update_of_a_large_answer_with_several() {
    let api = TestApi::start(|_| ok(json!([an_update(1), a_large_update(2, 4)]))).await;
    let failure = connector().poll(&a_polled_channel(&api.url), None, Duration::ZERO).await.unwrap_err();
    assert_eq!(failure.problem.code, "provider_unavailable");
    let api = TestApi::start(|_| ok(json!("x".repeat(4 * 1024 * 1024)))).await;
    let failure = connector().poll(&a_polled_channel(&api.url), None, Duration::ZERO).await.unwrap_err();
    assert_eq!(failure.problem.code, "provider_unavailable");
}

#[tokio::test]
async fn names_the_problem_of_a_failed_poll() {
    let wait = || {
        let body = json!({"ok": false, "error_code": 429, "description": "Too Many Requests: retry after 9",
                          "parameters": {"retry_after": 9}});
        Act::Answer(429, body)
    };
    let active = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete it first";
    let other = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
    for (act, code, ends, after) in [
        (error(409, active), "webhook_taken", false, None),
        (error(409, other), "webhook_taken", false, None),
        (error(401, "Unauthorized"), "invalid_token", true, None),
        (error(404, "Not Found"), "invalid_token", true, None),
        (error(502, "Bad Gateway"), "provider_unavailable", false, None),
        (ok(json!({"no": "list"})), "provider_unavailable", false, None),
        (wait(), "provider_unavailable", false, Some(9)),
    ] {
        let Act::Answer(status, body) = act else { panic!("an answer") };
        let api = TestApi::start(move |_| Act::Answer(status, body.clone())).await;
        let failure = connector().poll(&a_polled_channel(&api.url), None, Duration::ZERO).await.unwrap_err();
        assert_eq!((failure.problem.code, failure.problem.ends_sending), (code, ends), "{failure:?}");
        assert_eq!(failure.after, after.map(Duration::from_secs), "{failure:?}");
        assert!(!format!("{failure:?}").contains("AAHdq"), "{failure:?}");
    }
    let api = TestApi::start(|_| Act::BreakOff).await;
    let failure = connector().poll(&a_polled_channel(&api.url), None, Duration::ZERO).await.unwrap_err();
    assert_eq!(failure.problem.code, "provider_unavailable");
}

#[tokio::test]
async fn removes_the_webhook_before_the_first_poll() {
    let api = TestApi::start(|call| match call.name().as_str() {
        "POST getMe" => ok(json!({"username": "acme_bot"})),
        "POST getWebhookInfo" => ok(json!({"url": "", "pending_update_count": 2, "last_error_message": "Earlier"})),
        _ => ok(json!(true)),
    })
    .await;
    let channel = a_polled_channel(&api.url);
    assert!(connector().polls(&channel) && !connector().polls(&a_channel(&api.url)));
    let reported = connector().connect(&channel, PATH).await.unwrap();
    assert_eq!(Value::Object(reported), json!({"bot_username": "acme_bot"}));
    assert_eq!(api.names(), ["POST getMe", "POST deleteWebhook", "POST getWebhookInfo"]);
    assert_eq!(api.calls()[1].body, json!({"drop_pending_updates": false}));
    assert_eq!(connector().test(&channel).await.error, None);
    let health = connector().health(&channel).await;
    assert_eq!((health.problems, health.webhook.ok, health.webhook.pending), (vec![], None, Some(2)));
    assert_eq!(health.webhook.last_error, None, "it belongs to an earlier webhook");
    connector().disconnect(&channel).await;
    assert!(!api.names().ends_with(&["POST deleteWebhook".to_owned()]));

    let api = TestApi::start(|_| ok(json!({"url": "https://other.example/bot"}))).await;
    let channel = a_polled_channel(&api.url);
    let taken = connector().connect(&channel, PATH).await.unwrap_err();
    assert_eq!((taken.step, taken.secret), ("get_webhook_info", None));
    let codes: Vec<_> = connector().health(&channel).await.problems.iter().map(|it| it.code).collect();
    assert_eq!(codes, ["webhook_taken"]);
    assert!(connector().test(&channel).await.error.is_some_and(|error| error.contains("another address")));
}

//! The settings of a channel, the registration of its address, and its health.

use super::*;

#[tokio::test]
async fn sets_up_the_number_and_removes_only_its_own_address() {
    let url = format!("https://tidings.example{PATH}");
    let stored = json!({"display_phone_number": "+49 171", "verified_name": "Acme", "quality_rating": "GREEN",
                        "webhook_configuration": {"application": "https://other.example", "phone_number": url}});
    let api = TestApi::start(move |call| match call.method == "GET" {
        true => ok(stored.clone()),
        false => ok(json!({"success": true})),
    })
    .await;
    let mut secrets = secrets();
    secrets["pin"] = json!("123456");
    let channel = Channel { status: ChannelStatus::Connected, ..a_channel_with(&api.url, &secrets) };
    let reported = connector().connect(&channel, &url).await.unwrap();
    assert_eq!(Value::Object(reported), json!({"display_phone_number": "+49 171", "verified_name": "Acme"}));
    let read = "GET /v25.0/106540?fields=display_phone_number,verified_name,quality_rating,webhook_configuration";
    let (register, subscribe) = ("POST /v25.0/106540/register", "POST /v25.0/102290/subscribed_apps");
    assert_eq!(api.lines(), [read, register, subscribe, "POST /v25.0/106540", read]);
    assert_eq!(api.calls()[1].body, json!({"messaging_product": "whatsapp", "pin": "123456"}));
    let override_of = |url: &str| json!({"override_callback_uri": url, "verify_token": "t0ken"});
    assert_eq!(api.calls()[3].body, json!({"webhook_configuration": override_of(&url)}));
    assert_eq!(connector().test(&channel).await.error, None);
    connector().disconnect(&channel).await;
    let removed = api.calls().pop().unwrap();
    assert_eq!(removed.line(), "POST /v25.0/106540");
    assert_eq!(removed.body, json!({"webhook_configuration": {"override_callback_uri": ""}}));

    let other = json!({"webhook_configuration": {"override_callback_uri": "https://other.example/x"}});
    let api = TestApi::start(move |_| ok(other.clone())).await;
    let channel = Channel { status: ChannelStatus::Connected, ..a_channel(&api.url) };
    connector().disconnect(&channel).await;
    assert_eq!(api.lines(), [read]);
    assert!(connector().test(&channel).await.error.is_some_and(|error| error.contains("another address")));
    let taken = connector().connect(&channel, &url).await.unwrap_err();
    assert_eq!((taken.step, taken.secret), ("read_webhook", None));
}

#[tokio::test]
async fn names_the_failed_step_and_the_rejected_secret() {
    for (at, status, code, step, secret) in [
        ("GET", 401, 190, "read_number", Some("access_token")),
        ("GET", 400, 100, "read_number", None),
        ("register", 400, 133_005, "register", Some("pin")),
        ("register", 400, 133_016, "register", None),
        ("subscribed_apps", 403, 200, "subscribe_app", None),
        ("106540", 400, 2_200, "set_webhook", None),
    ] {
        let api = TestApi::start(move |call| {
            let is_failing = if at == "GET" { call.method == at } else { call.path.ends_with(at) };
            if is_failing { error(status, code) } else { ok(json!({})) }
        })
        .await;
        let mut secrets = secrets();
        secrets["pin"] = json!("123456");
        let channel = a_channel_with(&api.url, &secrets);
        let failure = connector().connect(&channel, "https://tidings.example/inbound/x").await.unwrap_err();
        assert_eq!((failure.step, failure.secret), (step, secret), "{failure:?}");
        assert_eq!(failure.provider_code, Some(code.to_string()), "{failure:?}");
    }
    let mut channel = a_channel("http://127.0.0.1:9");
    for (member, wrong) in [("phone_number_id", "../me"), ("waba_id", "a"), ("graph_version", "v25/..")] {
        let mut endpoint = channel.endpoint.clone().unwrap();
        endpoint.config.insert(member.to_owned(), wrong.into());
        let wrong = Channel { endpoint: Some(endpoint), ..channel.clone() };
        let failure = connector().connect(&wrong, "https://tidings.example/inbound/x").await.unwrap_err();
        assert_eq!(failure.step, "check_config", "{member}");
    }
    channel.endpoint = None;
    assert!(connector().test(&channel).await.error.is_some());
}

#[test]
fn the_phone_number_is_the_account() {
    let config: Config = [("phone_number_id".to_owned(), json!("106540"))].into_iter().collect();
    assert_eq!(connector().account(&config, &PlainSecrets::new()).as_deref(), Some("106540"));
}

#[tokio::test]
async fn the_health_names_the_quality_and_the_problems() {
    let of = |quality: &str, url: &str| {
        ok(json!({"quality_rating": quality, "webhook_configuration": {"phone_number": url}}))
    };
    let (url, other) = (format!("https://tidings.example{PATH}"), "https://other.example/x");
    for (act, codes, quality) in [
        (of("GREEN", &url), vec![], Some("GREEN")),
        (of("RED", &url), vec![("low_quality", false)], Some("RED")),
        (of("GREEN", other), vec![("webhook_taken", false)], Some("GREEN")),
        (error(401, 190), vec![("invalid_token", true)], None),
        (error(500, 2), vec![("provider_unavailable", false)], None),
    ] {
        let Act::Answer(status, body) = act else { panic!("an answer") };
        let api = TestApi::start(move |_| Act::Answer(status, body.clone())).await;
        let health = connector().health(&a_channel(&api.url)).await;
        let problems: Vec<_> = health.problems.iter().map(|it| (it.code, it.ends_sending)).collect();
        let shown = health.limits.get("quality_rating").and_then(Value::as_str);
        assert_eq!((problems, shown), (codes, quality), "{health:?}");
    }
    let unusable = a_channel_with("http://127.0.0.1:9", &json!({"app_secret": "app-s3cret"}));
    assert!(connector().health(&unusable).await.problems[0].ends_sending);
}

/// Returns the health of a number if Meta answers its two optional calls like this, and the lines of the calls.
async fn optional_health(limit: (u16, Value), token: (u16, Value)) -> (Health, Vec<String>) {
    let url = format!("https://tidings.example{PATH}");
    let number = json!({"quality_rating": "GREEN", "webhook_configuration": {"phone_number": url}});
    let api = TestApi::start(move |call| {
        let is_token = call.name() == "GET debug_token";
        let is_limit = call.path.contains("messaging_limit");
        let (status, body) = match (is_token, is_limit) {
            (true, _) => token.clone(),
            (false, true) => limit.clone(),
            (false, false) => (200, number.clone()),
        };
        Act::Answer(status, body)
    })
    .await;
    (connector().health(&a_channel(&api.url)).await, api.lines())
}

#[tokio::test]
async fn the_health_has_the_limit_of_the_number_and_the_end_of_the_token() {
    let limit = json!({"whatsapp_business_manager_messaging_limit": "TIER_2K", "id": "106540"});
    let token = json!({"data": {"is_valid": true, "expires_at": 1_767_225_600}});
    let (health, lines) = optional_health((200, limit), (200, token)).await;
    assert_eq!(Value::Object(health.limits), json!({"quality_rating": "GREEN", "messaging_limit": "TIER_2K"}));
    assert_eq!((health.credential_expires_at, health.problems), (Some(NOW), vec![]));
    assert!(lines.contains(&format!("GET /v25.0/debug_token?input_token={TOKEN}")), "{lines:?}");
}

#[tokio::test]
async fn the_health_does_not_need_the_limit_and_the_end_of_the_token() {
    let permanent = || (200, json!({"data": {"is_valid": true, "expires_at": 0}}));
    let refused = || (400, json!({"error": {"code": 100, "message": "It failed."}}));
    for (limit, token) in [(refused(), permanent()), (refused(), refused()), ((500, json!(null)), (500, json!(null)))] {
        let (health, _) = optional_health(limit, token).await;
        assert_eq!(Value::Object(health.limits), json!({"quality_rating": "GREEN"}));
        assert_eq!((health.credential_expires_at, health.problems), (None, vec![]));
        assert_eq!(health.webhook.ok, Some(true));
    }
}

#[tokio::test]
async fn lists_the_templates_of_the_account_page_by_page() {
    let page = |name: &str, next: bool| {
        let body = json!({"type": "BODY", "text": "Hi {{1}}"});
        let one =
            json!({"name": name, "language": "de", "category": "UTILITY", "status": "APPROVED", "components": [body]});
        let mut page = json!({"data": [one, {"id": "7"}], "paging": {"cursors": {"before": "p", "after": name}}});
        if next {
            page["paging"]["next"] = json!("https://graph.facebook.com/next");
        }
        page
    };
    let (first, last) = (page("hello", true), page("bye", false));
    let api = TestApi::start(move |call| match call.path.contains("&after=hello") {
        true => ok(last.clone()),
        false => ok(first.clone()),
    })
    .await;
    let templates = connector().templates(&a_channel(&api.url)).await.unwrap();
    let [hello, bye] = &templates[..] else { panic!("{templates:?}") };
    assert_eq!((hello.name.as_str(), bye.name.as_str(), bye.status.as_str()), ("hello", "bye", "APPROVED"));
    assert_eq!(hello.parameters.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["1"]);
    assert!(api.lines().iter().all(|line| line.starts_with("GET /v25.0/102290/message_templates?")));
    assert_eq!(api.calls().len(), 2);

    let endless = page("again", true);
    let api = TestApi::start(move |_| ok(endless.clone())).await;
    assert_eq!(connector().templates(&a_channel(&api.url)).await.unwrap().len(), 10);
    let api = TestApi::start(|_| error(401, 190)).await;
    let failure = connector().templates(&a_channel(&api.url)).await.unwrap_err();
    assert_eq!((failure.step, failure.secret), ("list_templates", Some("access_token")));
}

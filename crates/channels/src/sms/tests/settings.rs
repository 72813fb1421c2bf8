//! The settings of a channel, the registration of its address, and its health.

use super::*;

/// Behaves as an account with the number, which stores the address of its messages.
fn account(stored: Arc<std::sync::Mutex<String>>, application: &'static str) -> impl Fn(&Call) -> Act {
    move |call| match call.name().as_str() {
        "GET AC0123456789abcdef0123456789abcdef.json" => Act::Answer(200, json!({"status": "active"})),
        "GET IncomingPhoneNumbers.json" => {
            let url = stored.lock().unwrap().clone();
            let number =
                json!({"sid": "PN1", "phone_number": NUMBER, "sms_url": url, "sms_application_sid": application});
            Act::Answer(200, json!({"incoming_phone_numbers": [number]}))
        }
        "POST PN1.json" => {
            *stored.lock().unwrap() = call.member("SmsUrl").unwrap().to_owned();
            Act::Answer(200, json!({"sid": "PN1"}))
        }
        "GET MG0123456789abcdef0123456789abcdef" => {
            let url = stored.lock().unwrap().clone();
            Act::Answer(200, json!({"sid": SERVICE, "inbound_request_url": url, "inbound_method": "POST"}))
        }
        _ => error(404, 20404, "Not found"),
    }
}

fn stored(url: &str) -> Arc<std::sync::Mutex<String>> {
    Arc::new(std::sync::Mutex::new(url.to_owned()))
}

#[tokio::test]
async fn sets_the_address_of_its_number_and_removes_only_its_own() {
    let url = format!("{PUBLIC}/inbound/guess");
    let number = stored("https://old.example/sms");
    let api = TestApi::start(account(Arc::clone(&number), "")).await;
    let channel = a_channel(&api.url);
    assert!(connector().test(&channel).await.error.unwrap().contains("another address"));
    assert_eq!(connector().connect(&channel, &url).await, Ok(Config::new()));
    assert_eq!(*number.lock().unwrap(), format!("{url}#rc=5&rp=all&ct=2000&rt=4000"));
    let calls = api.calls();
    let read = &calls[calls.len() - 3];
    assert_eq!(read.path, format!("/2010-04-01/Accounts/{SID}/IncomingPhoneNumbers.json?PhoneNumber=%2B15005550006"));
    let written = &calls[calls.len() - 2];
    assert_eq!((written.name().as_str(), written.member("SmsMethod")), ("POST PN1.json", Some("POST")));
    assert_eq!(connector().test(&channel).await.error, None);
    connector().disconnect(&channel).await;
    assert_eq!(*number.lock().unwrap(), "");

    let number = stored("https://old.example/sms");
    let api = TestApi::start(account(Arc::clone(&number), "")).await;
    connector().disconnect(&a_channel(&api.url)).await;
    assert_eq!(api.names(), ["GET IncomingPhoneNumbers.json"]);
}

#[tokio::test]
async fn the_read_back_decides() {
    let url = format!("{PUBLIC}/inbound/guess");
    let keeps = |call: &Call| match call.method.as_str() {
        "POST" => Act::Answer(200, json!({"sid": "PN1"})),
        _ => account(stored("https://other.example/sms"), "")(call),
    };
    let api = TestApi::start(keeps).await;
    let failure = connector().connect(&a_channel(&api.url), &url).await.unwrap_err();
    assert_eq!((failure.step, failure.secret), ("check_number", None));
    let api = TestApi::start(account(stored(""), "AP1")).await;
    let failure = connector().connect(&a_channel(&api.url), &url).await.unwrap_err();
    assert!(failure.hint.contains("TwiML app"), "{failure:?}");
    assert_eq!(api.names().last().map(String::as_str), Some("GET IncomingPhoneNumbers.json"), "nothing is changed");
}

#[tokio::test]
async fn compares_the_address_of_a_messaging_service() {
    let url = format!("{PUBLIC}/inbound/guess");
    for (address, is_right) in [(url.as_str(), true), ("https://old.example/sms", false), ("", false)] {
        let api = TestApi::start(account(stored(address), "")).await;
        let channel = a_service_channel(&api.url);
        assert_eq!(connector().connect(&channel, &url).await, Ok(Config::new()));
        let error = connector().test(&channel).await.error;
        assert_eq!(error.is_none(), is_right, "{address}: {error:?}");
        assert!(api.names().iter().all(|name| name.starts_with("GET ")), "the service is not changed");
    }
}

#[tokio::test]
async fn names_the_secret_that_twilio_rejects() {
    let url = format!("{PUBLIC}/inbound/guess");
    let api = TestApi::start(|_| error(401, 20003, "Authenticate")).await;
    let failure = connector().connect(&a_channel(&api.url), &url).await.unwrap_err();
    assert_eq!((failure.step, failure.secret), ("read_account", Some("auth_token")));
    assert_eq!(failure.provider_code.as_deref(), Some("20003"));
    let api = TestApi::start(|call| match call.path.ends_with(&format!("/{SID}.json")) {
        true => Act::Answer(200, json!({"status": "active"})),
        false => error(401, 20003, "Authenticate"),
    })
    .await;
    let failure = connector().connect(&a_service_channel(&api.url), &url).await.unwrap_err();
    assert_eq!((failure.step, failure.secret), ("read_service", Some("api_key")));
    for (answer, hint) in [
        (json!({"status": "suspended"}), "not active"),
        (json!({"status": "active", "incoming_phone_numbers": []}), "does not have this number"),
    ] {
        let api = TestApi::start(move |_| Act::Answer(200, answer.clone())).await;
        let failure = connector().connect(&a_channel(&api.url), &url).await.unwrap_err();
        assert!(failure.hint.contains(hint) && failure.secret.is_none(), "{failure:?}");
    }
}

#[test]
fn a_configuration_has_one_sender() {
    let check = |config: Value, secrets: &PlainSecrets| {
        let wrong = connector().check(&config_of(config), secrets).into_iter();
        wrong.map(|it| (it.pointer, it.code)).collect::<Vec<_>>()
    };
    let none = PlainSecrets::new();
    assert_eq!(check(json!({"account_sid": SID, "from": NUMBER}), &none), []);
    assert_eq!(check(json!({"account_sid": SID, "messaging_service_sid": SERVICE}), &none), []);
    for (config, pointer, code) in [
        (json!({"account_sid": SID}), "/config/from", "required"),
        (json!({"account_sid": SID, "from": "Acme"}), "/config/from", "invalid_format"),
        (json!({"account_sid": SID, "from": "15005550006"}), "/config/from", "invalid_format"),
        (json!({"account_sid": "AC1/../x", "from": NUMBER}), "/config/account_sid", "invalid_format"),
        (json!({"account_sid": SID, "messaging_service_sid": SID}), "/config/messaging_service_sid", "invalid_format"),
        (
            json!({"account_sid": SID, "from": NUMBER, "messaging_service_sid": SERVICE}),
            "/config/messaging_service_sid",
            "not_allowed",
        ),
    ] {
        assert_eq!(check(config.clone(), &none), [(pointer.to_owned(), code)], "{config}");
    }
    let key = |sid: &str| PlainSecrets::from([("api_key".to_owned(), json!({"sid": sid, "secret": "x"}).to_string())]);
    let config = || json!({"account_sid": SID, "from": NUMBER});
    assert_eq!(check(config(), &key(KEY)), []);
    assert_eq!(check(config(), &key(SID)), [("/secrets/api_key/sid".to_owned(), "invalid_format")]);
}

#[test]
fn an_account_is_a_sender_of_an_account() {
    let account = |config: Value| Connector::account(&connector(), &config_of(config), &PlainSecrets::new());
    assert_eq!(account(json!({"account_sid": SID, "from": NUMBER})), Some(format!("{SID} {NUMBER}")));
    let service = json!({"account_sid": SID, "messaging_service_sid": SERVICE});
    assert_eq!(account(service), Some(format!("{SID} {SERVICE}")));
}

#[tokio::test]
async fn the_health_names_the_account_and_the_address() {
    let ours = format!("{PUBLIC}/inbound/guess#rc=5");
    for (url, expected) in [(ours.as_str(), None), ("https://other.example/x", Some(("webhook_taken", false)))] {
        let api = TestApi::start(account(stored(url), "")).await;
        let health = connector().health(&a_channel(&api.url)).await;
        assert_eq!(health.problems.first().map(|it| (it.code, it.ends_sending)), expected, "{health:?}");
        assert_eq!(health.webhook.ok, Some(expected.is_none()));
    }
    let suspended = json!({"status": "suspended"});
    for (status, body, expected) in [
        (200, suspended, ("account_inactive", true)),
        (401, json!({"code": 20003}), ("invalid_token", true)),
        (503, json!({}), ("provider_unavailable", false)),
    ] {
        let api = TestApi::start(move |_| Act::Answer(status, body.clone())).await;
        let health = connector().health(&a_channel(&api.url)).await;
        assert_eq!(health.problems.first().map(|it| (it.code, it.ends_sending)), Some(expected), "{health:?}");
    }
}

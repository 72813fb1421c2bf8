//! Messages that are sent, and the outcomes of their requests.

use super::*;

#[tokio::test]
async fn sends_a_text_with_its_token() {
    let api = TestApi::start(|_| sent()).await;
    let message = a_message(&api.url, Content::text("*Zoë* 🦀"));
    let id = message.message;
    assert_eq!(connector().send(message).await, accepted("wamid.7"));
    let call = api.calls().remove(0);
    assert_eq!(call.line(), "POST /v25.0/106540/messages");
    assert_eq!(call.authorization, format!("Bearer {TOKEN}"));
    let expected = json!({
        "messaging_product": "whatsapp", "recipient_type": "individual", "to": "491711234567", "type": "text",
        "text": {"body": "*Zoë* 🦀"}, "biz_opaque_callback_data": format!("{id}:0/1"),
    });
    assert_eq!(call.body, expected);
}

#[tokio::test]
async fn the_first_part_answers_a_message() {
    let answered =
        EarlierMessage { is_inbound: true, provider_message_id: "wamid.1".to_owned(), subject: None, answers_to: None };
    let context = || SendContext { reply_to: Some(answered.clone()), ..SendContext::default() };
    let sent = bodies(|url| Outbound { context: context(), ..a_message(url, Content::text("x".repeat(5_000))) }).await;
    assert_eq!(sent.len(), 2);
    assert_eq!((&sent[0]["context"], &sent[1]["context"]), (&json!({"message_id": "wamid.1"}), &Value::Null));
    let (name, language) = ("hello".to_owned(), Some("de".to_owned()));
    let template = MessageTemplate { name, language, parameters: Default::default() };
    let template = Content { template: Some(template), ..Content::of(MessageType::Template) };
    let sent = bodies(|url| Outbound { context: context(), ..a_message(url, template) }).await;
    assert_eq!(sent[0].get("context"), None);
}

#[tokio::test]
async fn addresses_a_number_or_a_user() {
    let to = async |address: &str| {
        let address = address.to_owned();
        let sent = bodies(|url| Outbound { address, ..a_message(url, Content::text("Hi")) }).await;
        (sent[0].get("to").cloned(), sent[0].get("recipient").cloned())
    };
    assert_eq!(to("+491711234567").await, (Some(json!("491711234567")), None));
    assert_eq!(to("US.13491208655302741918").await, (None, Some(json!("US.13491208655302741918"))));
    let message = a_message("http://127.0.0.1:9", Content::text("Hi"));
    let outcome = connector().send(Outbound { address: "ada@example.com".to_owned(), ..message }).await;
    assert!(matches!(&outcome, SendOutcome::Rejected { code, .. } if code == "unreachable"), "{outcome:?}");
}

#[tokio::test]
async fn few_short_choices_are_buttons() {
    let sent = bodies(|url| a_message(url, with_choices("Tea?", &["Yes", "No", "Yes"]))).await;
    let id = MessageId::from_uuid(Uuid::from_u128(2));
    let button = |number: usize, title: &str, of: &str| json!({"type": "reply", "reply": {"id": format!("c:{id}:{number}:{of}"), "title": title}});
    let buttons = json!([button(0, "Yes", "Yes"), button(1, "No", "No"), button(2, "Yes 2", "Yes")]);
    let expected = json!({"type": "button", "body": {"text": "Tea?"}, "action": {"buttons": buttons}});
    assert_eq!((&sent[0]["type"], &sent[0]["interactive"]), (&json!("interactive"), &expected));
}

#[tokio::test]
async fn many_or_long_choices_are_a_list() {
    let sent = bodies(|url| a_message(url, with_choices("Tea?", &["A", "B", "C", "D"]))).await;
    let rows = &sent[0]["interactive"]["action"]["sections"][0]["rows"];
    let titles: Vec<&Value> = rows.as_array().unwrap().iter().map(|row| &row["title"]).collect();
    assert_eq!(titles, ["A", "B", "C", "D"]);

    let long = "A choice with a title that is longer than one row";
    let sent =
        bodies(|url| a_message(url, with_choices("Tea?", &[long, "A choice with a title whatever it says"]))).await;
    let rows = &sent[0]["interactive"]["action"]["sections"][0]["rows"];
    assert_eq!(
        (&rows[0]["title"], &rows[1]["title"]),
        (&json!("A choice with a title"), &json!("A choice with a title 2"))
    );
    assert_eq!(rows[0]["description"], "that is longer than one row");
    assert!(rows[0]["id"].as_str().unwrap().ends_with(&format!(":0:{long}")), "{rows}");
    for row in rows.as_array().unwrap() {
        assert!(row["title"].as_str().unwrap().chars().count() <= 24, "{row}");
        assert!(row["description"].as_str().unwrap().chars().count() <= 72, "{row}");
    }
}

#[tokio::test]
async fn a_long_text_goes_before_its_choices() {
    let text = format!("{}. {}", "x".repeat(3_000), "y".repeat(1_000));
    let sent = bodies(|url| a_message(url, with_choices(&text, &["Yes"]))).await;
    let kinds: Vec<&Value> = sent.iter().map(|body| &body["type"]).collect();
    assert_eq!(kinds, ["text", "interactive"]);
    let shown = [&sent[0]["text"]["body"], &sent[1]["interactive"]["body"]["text"]];
    let shown: Vec<&str> = shown.iter().filter_map(|text| text.as_str()).collect();
    assert!(shown[1].chars().count() <= 1_024);
    assert_eq!(shown.concat().replace(' ', ""), text.replace(' ', ""));
    let callbacks: Vec<&Value> = sent.iter().map(|body| &body["biz_opaque_callback_data"]).collect();
    assert!(callbacks[0].as_str().unwrap().ends_with(":0/2") && callbacks[1].as_str().unwrap().ends_with(":1/2"));
}

fn a_template(language: Option<&str>, parameters: &[(&str, &str)]) -> Content {
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let template = MessageTemplate { name: "hello".to_owned(), language: language.map(str::to_owned), parameters };
    Content { template: Some(template), ..Content::of(MessageType::Template) }
}

#[tokio::test]
async fn sends_a_template_with_its_parameters() {
    let parameters = [("1", "a"), ("10", "c"), ("2", "b"), ("city", "Rome"), ("header.1", "h"), ("button.0", "/7")];
    let sent = bodies(|url| a_message(url, a_template(Some("de"), &parameters))).await;
    let text = |text: &str| json!({"type": "text", "text": text});
    let named = json!({"type": "text", "parameter_name": "city", "text": "Rome"});
    let expected = json!({"name": "hello", "language": {"code": "de"}, "components": [
        {"type": "header", "parameters": [text("h")]},
        {"type": "body", "parameters": [text("a"), text("b"), text("c"), named]},
        {"type": "button", "sub_type": "url", "index": "0", "parameters": [text("/7")]},
    ]});
    assert_eq!((&sent[0]["type"], &sent[0]["template"]), (&json!("template"), &expected));
    for wrong in [
        a_template(None, &[]),
        a_template(Some("de"), &[("header.media", "media_1")]),
        a_template(Some("de"), &[("button.x", "1")]),
        a_template(Some("de"), &[("footer.1", "1")]),
    ] {
        let outcome = connector().send(a_message("http://127.0.0.1:9", wrong)).await;
        assert!(matches!(&outcome, SendOutcome::Rejected { code, .. } if code == "invalid_template"), "{outcome:?}");
    }
}

#[tokio::test]
async fn each_code_has_its_meaning() {
    for (code, expected) in [
        (131_026, "undeliverable"),
        (131_062, "number_required"),
        (130_497, "country_not_allowed"),
        (131_030, "not_a_test_number"),
        (131_021, "recipient_is_sender"),
        (131_049, "provider_limit"),
        (130_472, "provider_limit"),
        (131_048, "provider_limit"),
        (131_064, "provider_limit"),
        (100, "provider_rejected"),
        (131_008, "provider_rejected"),
        (131_009, "provider_rejected"),
        (131_051, "provider_rejected"),
        (132_000, "provider_rejected"),
        (132_015, "provider_rejected"),
        (135_000, "provider_rejected"),
    ] {
        let outcome = answered(0, move || error(400, code)).await;
        let SendOutcome::Rejected { code: word, message } = outcome else { panic!("{code}: {outcome:?}") };
        assert_eq!((word.as_str(), message.http_status), (expected, Some(400)), "{code}");
        assert_eq!(message.provider_code, Some(code.to_string()));
    }
    for (code, reason) in [(131_047, Suppression::WindowClosed), (131_050, Suppression::MarketingStopped)] {
        let outcome = answered(0, move || error(400, code)).await;
        let SendOutcome::Suppressed { reason: found, message } = outcome else { panic!("{code}: {outcome:?}") };
        assert_eq!((found, message.provider_code, message.http_status), (reason, Some(code.to_string()), Some(400)));
    }
    for code in [1, 2, 131_000, 131_016] {
        let outcome = answered(0, move || error(400, code)).await;
        assert!(matches!(outcome, SendOutcome::Unknown { .. }), "{code}: {outcome:?}");
    }
    let later = [4, 80_007, 130_429, 133_004, 131_057];
    let of_channel = [0, 3, 10, 190, 200, 299, 131_005, 131_031, 131_042, 131_045, 133_010, 368];
    for status in [400, 500] {
        for code in later {
            let outcome = answered(0, move || error(status, code)).await;
            let is_of_channel = matches!(outcome, SendOutcome::TryLater { scope: RetryScope::Channel, .. });
            assert!(is_of_channel, "{code}: {outcome:?}");
        }
        for code in of_channel {
            let outcome = answered(0, move || error(status, code)).await;
            let SendOutcome::ChannelFailed { code: named, .. } = outcome else { panic!("{code}: {outcome:?}") };
            assert_eq!(named == "invalid_token", code == 190, "{named}");
        }
    }
}

#[tokio::test]
async fn waits_longer_for_the_same_recipient_and_twice_for_media() {
    for (attempts, seconds) in [(0, 1), (1, 4), (3, 64), (11, 16_384)] {
        let outcome = answered(attempts, || error(400, 131_056)).await;
        let SendOutcome::TryLater { after: Some(after), scope, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!((after.as_secs(), scope), (seconds, RetryScope::Recipient), "{attempts}");
    }
    for code in [131_052, 131_053] {
        for attempts in [0, 1] {
            let outcome = answered(attempts, move || error(400, code)).await;
            assert!(matches!(outcome, SendOutcome::TryLater { .. }), "{outcome:?}");
        }
        let outcome = answered(2, move || error(400, code)).await;
        assert!(matches!(&outcome, SendOutcome::Rejected { code, .. } if code == "media_rejected"), "{outcome:?}");
    }
}

#[tokio::test]
async fn the_status_counts_if_the_code_is_not_listed() {
    let outcome = answered(0, || error(429, 999_999)).await;
    assert!(matches!(outcome, SendOutcome::TryLater { .. }), "{outcome:?}");
    for status in [401, 403, 302] {
        let outcome = answered(0, move || error(status, 999_999)).await;
        assert!(matches!(outcome, SendOutcome::ChannelFailed { .. }), "{status}: {outcome:?}");
    }
    let outcome = answered(0, || error(400, 999_999)).await;
    assert!(matches!(&outcome, SendOutcome::Rejected { code, .. } if code == "provider_rejected"), "{outcome:?}");
    let transient = || Act::Answer(400, json!({"error": {"code": 999_999, "is_transient": true}}));
    let strange = || ok(json!({"messages": [{"id": "x".repeat(256)}]}));
    let acts: [fn() -> Act; 6] =
        [transient, strange, || error(503, 999_999), || Act::BreakOff, || Act::Wait, || ok(json!("?"))];
    for act in acts {
        let outcome = answered(0, act).await;
        assert!(matches!(outcome, SendOutcome::Unknown { .. }), "{outcome:?}");
    }
    let closed = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let outcome = connector().send(a_message(&closed, Content::text("Hi"))).await;
    assert!(matches!(outcome, SendOutcome::TryLater { .. }), "{outcome:?}");
}

#[test]
fn the_pace_of_a_channel_depends_on_its_configuration() {
    let mut channel = a_channel("http://127.0.0.1:9");
    assert_eq!(connector().pace(&channel), WHATSAPP.pace);
    channel.endpoint.as_mut().unwrap().config.insert("messages_per_second".to_owned(), json!(2));
    let every = connector().pace(&channel).channel.map(|limit| limit.every);
    assert_eq!(every, Some(Duration::from_millis(500)));
    assert_eq!(connector().pace(&channel).recipient, WHATSAPP.pace.recipient);
}

#[tokio::test]
async fn each_part_has_its_own_outcome() {
    for (code, expected) in
        [(130_429, "later"), (131_000, "unknown"), (131_026, "undeliverable"), (131_047, "window_closed")]
    {
        let act = move |call: &Call| match call.body["type"] == "text" {
            true => sent(),
            false => error(400, code),
        };
        let api = TestApi::start(act).await;
        let content = with_choices(&format!("{} {}", "x".repeat(1_024), "y".repeat(1_024)), &["Yes"]);
        let outcome = send_parts(&connector(), a_message(&api.url, content)).await;
        assert_outcome(&outcome, expected);
        assert_eq!(api.calls().len(), 2, "the first part is sent once");
    }
}

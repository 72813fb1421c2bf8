//! Messages that are sent, and the outcomes of their requests.

use super::*;

#[tokio::test]
async fn sends_a_text_with_numbered_choices() {
    let api = TestApi::start(|_| sent()).await;
    let replies = ["Yes", "No"].map(|title| QuickReply { title: title.to_owned(), payload: None });
    let content = Content { quick_replies: replies.to_vec(), ..Content::text("Coffee & cake, Zoë 🦀?") };
    let message = a_message(&api.url, content);
    let id = message.message;
    assert_eq!(connector().send(message).await, accepted("SM1"));
    let call = api.calls().remove(0);
    assert_eq!(call.method, "POST");
    assert_eq!(call.path, format!("/2010-04-01/Accounts/{SID}/Messages.json"));
    assert_eq!(call.authorization, format!("Basic {}", base64_of(&format!("{SID}:{TOKEN}"))));
    let callback = format!("{PUBLIC}/inbound/guess?message={id}&part=1&parts=1#rc=5&rp=all&ct=2000&rt=4000");
    let expected = [
        ("To", ADA),
        ("From", NUMBER),
        ("Body", "Coffee & cake, Zoë 🦀?\n1. Yes\n2. No"),
        ("StatusCallback", callback.as_str()),
    ];
    assert_eq!(call.form, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[tokio::test]
async fn sends_by_a_messaging_service_with_an_api_key() {
    let api = TestApi::start(|_| sent()).await;
    let message = Outbound { channel: a_service_channel(&api.url), ..a_message("", Content::text("Hi")) };
    assert_eq!(connector().send(message).await, accepted("SM1"));
    let call = api.calls().remove(0);
    assert_eq!(call.authorization, format!("Basic {}", base64_of(&format!("{KEY}:key-s3cret"))));
    assert_eq!((call.member("MessagingServiceSid"), call.member("From")), (Some(SERVICE), None));
}

#[tokio::test]
async fn sends_without_reports_if_the_public_url_is_unknown() {
    let api = TestApi::start(|_| sent()).await;
    let connector = SmsConnector { public_url: String::new(), ..connector() };
    assert_eq!(connector.send(a_message(&api.url, Content::text("Hi"))).await, accepted("SM1"));
    assert_eq!(api.calls()[0].member("StatusCallback"), None);
}

#[tokio::test]
async fn a_connector_for_a_workspace_has_the_same_settings() {
    let api = TestApi::start(|_| sent()).await;
    let connector = connector().for_workspace(WorkspaceId::from_uuid(Uuid::from_u128(7))).unwrap();
    assert_eq!(connector.send(a_message(&api.url, Content::text("Hi"))).await, accepted("SM1"));
    assert!(api.calls()[0].member("StatusCallback").unwrap().starts_with(PUBLIC));
}

#[tokio::test]
async fn sends_a_long_text_in_parts() {
    let api = TestApi::start(|_| sent()).await;
    let text = "🦀".repeat(4_096);
    assert_eq!(send_parts(&connector(), a_message(&api.url, Content::text(text.clone()))).await, accepted("SM1"));
    let calls = api.calls();
    let texts: Vec<&str> = calls.iter().filter_map(|call| call.member("Body")).collect();
    assert_eq!(texts.iter().map(|text| text.chars().count()).collect::<Vec<_>>(), [1_600, 1_600, 896]);
    assert_eq!(texts.concat(), text);
    let names = calls.iter().map(|call| call.member("StatusCallback").unwrap().contains("&parts=3#"));
    assert_eq!(names.collect::<Vec<_>>(), [true; 3]);
    assert!(calls[1].member("StatusCallback").unwrap().contains("&part=2&"));
}

#[tokio::test]
async fn each_part_has_its_own_outcome() {
    for (status, code, expected) in [
        (429, 20429, "later"),
        (500, 20500, "unknown"),
        (401, 20003, "invalid_token"),
        (400, 21211, "unreachable"),
        (400, 21610, "opted_out"),
    ] {
        let act = move |call: &Call| match call.member("Body").unwrap().starts_with('1') {
            true => sent(),
            false => error(status, code, "No"),
        };
        let api = TestApi::start(act).await;
        let text = format!("1{}\n\n2", "x".repeat(1_598));
        let outcome = send_parts(&connector(), a_message(&api.url, Content::text(text))).await;
        assert_outcome(&outcome, expected);
        assert_eq!(api.calls().len(), 2, "the first part is sent once");
    }
}

#[tokio::test]
async fn each_error_code_has_its_outcome() {
    for (code, class, _) in KNOWN {
        let outcome = answered(move || error(400, code, "No")).await;
        let expected = match class {
            ErrorClass::Busy => {
                matches!(outcome, SendOutcome::TryLater { after: None, scope: RetryScope::Channel, .. })
            }
            ErrorClass::Channel => matches!(outcome, SendOutcome::ChannelFailed { after: None, .. }),
            ErrorClass::Unreachable => rejects(&outcome, "unreachable"),
            ErrorClass::Recipient => rejects(&outcome, "recipient_rejected"),
            ErrorClass::Message => rejects(&outcome, "message_rejected"),
            ErrorClass::OptedOut => matches!(outcome, SendOutcome::OptedOut { .. }),
        };
        assert!(expected, "{code}: {outcome:?}");
    }
}

/// The table of the documentation, written again.
#[test]
fn the_codes_have_the_documented_classes() {
    for (codes, class) in [
        (&[429, 20429, 14107, 21611][..], ErrorClass::Busy),
        (&[21211, 21214, 21217, 21614, 30005, 30006], ErrorClass::Unreachable),
        (&[21408, 21608, 21612, 30003, 30004, 30007, 30008], ErrorClass::Recipient),
        (&[21617, 21620, 21623], ErrorClass::Message),
        (&[20003, 20005, 90010, 21606, 21212, 30002, 30032, 30034], ErrorClass::Channel),
        (&[21610], ErrorClass::OptedOut),
    ] {
        let own: Vec<i64> = KNOWN.iter().filter(|(_, own, _)| *own == class).map(|(code, ..)| *code).collect();
        assert_eq!(own.len(), codes.len(), "{class:?}");
        assert!(codes.iter().all(|code| own.contains(code)), "{class:?}: {own:?}");
    }
}

#[tokio::test]
async fn each_status_without_a_known_code_has_its_outcome() {
    let busy = || Act::AnswerLater(429, json!({"code": 20429, "message": "Slow"}), 7);
    let later = answered(busy).await;
    assert!(matches!(later, SendOutcome::TryLater { after: Some(after), .. } if after.as_secs() == 7), "{later:?}");
    let outcome = answered(|| Act::Answer(429, json!({}))).await;
    let is_of_channel = matches!(outcome, SendOutcome::TryLater { after: None, scope: RetryScope::Channel, .. });
    assert!(is_of_channel, "{outcome:?}");
    for (status, expected) in [(302, "unexpected_redirect"), (401, "invalid_token"), (403, "channel_rejected")] {
        let outcome = answered(move || Act::Answer(status, json!({}))).await;
        let SendOutcome::ChannelFailed { code, .. } = outcome else { panic!("{status}: {outcome:?}") };
        assert_eq!(code, expected);
    }
    // A code says more than the status.
    let outcome = answered(|| error(403, 21408, "No")).await;
    assert!(rejects(&outcome, "recipient_rejected"), "{outcome:?}");
    for (status, code) in [(400, 21999), (404, 20404)] {
        let outcome = answered(move || error(status, code, "No")).await;
        assert!(rejects(&outcome, "provider_rejected"), "{outcome:?}");
    }
    let acts: [fn() -> Act; 6] = [
        || error(500, 20500, "Restart"),
        || Act::Answer(503, json!({})),
        || Act::BreakOff,
        || Act::Wait,
        || Act::Answer(200, json!("?")),
        || Act::Answer(201, json!({"sid": "../1"})),
    ];
    for act in acts {
        let outcome = answered(act).await;
        assert!(matches!(outcome, SendOutcome::Unknown { .. }), "{outcome:?}");
    }
}

#[tokio::test]
async fn errors_do_not_contain_secrets() {
    let outcome = answered(|| error(400, 21999, &format!("Bad token {TOKEN}."))).await;
    let SendOutcome::Rejected { message, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(message.text, "Twilio answered 400 (error 21999): Bad token (hidden).");
    assert_eq!((message.provider_code.as_deref(), message.http_status), (Some("21999"), Some(400)));
    let api = TestApi::start(|_| {
        Act::Answer(200, json!({"status": "active", "friendly_name": "Acme", "auth_token": TOKEN, "sid": SID}))
    })
    .await;
    let trial = connector().test(&Channel { status: ChannelStatus::Disconnected, ..a_channel(&api.url) }).await;
    assert_eq!((trial.status, trial.error), (Some(200), None));
    assert_eq!(trial.body, r#"{"friendly_name":"Acme","status":"active"}"#);
}

#[tokio::test]
async fn rejects_other_addresses_and_templates() {
    let message = a_message("http://127.0.0.1:9", Content::text("Hi"));
    for (address, content, expected) in [
        ("whatsapp:+491711234567", Content::text("Hi"), "unreachable"),
        ("491711234567", Content::text("Hi"), "unreachable"),
        ("+49 171 1234567", Content::text("Hi"), "unreachable"),
        ("+0491711234567", Content::text("Hi"), "unreachable"),
        ("+1234567890123456", Content::text("Hi"), "unreachable"),
        ("", Content::text("Hi"), "unreachable"),
        (ADA, Content::of(MessageType::Template), "unsupported_type"),
    ] {
        let outcome = connector().send(Outbound { address: address.to_owned(), content, ..message.clone() }).await;
        assert!(rejects(&outcome, expected), "{address}: {outcome:?}");
    }
}

#[tokio::test]
async fn finds_a_message_by_text_sender_and_time() {
    let of = |sid: &str, change: fn(&mut Value)| {
        let mut it = json!({"sid": sid, "direction": "outbound-api", "from": NUMBER, "to": ADA, "body": "Hi",
                            "messaging_service_sid": null, "date_created": "Thu, 01 Jan 2026 00:00:00 +0000"});
        change(&mut it);
        it
    };
    let listed = [
        of("SM1", |_| {}),
        of("SM2", |it| it["direction"] = json!("inbound")),
        of("SM3", |it| it["from"] = json!("+15005550007")),
        of("SM4", |it| it["to"] = json!("+491711234568")),
        of("SM5", |it| it["body"] = json!("Ho")),
        of("SM6", |it| it["date_created"] = json!("Wed, 31 Dec 2025 23:59:50 +0000")),
        of("SM7", |it| it["date_created"] = json!("Wed, 31 Dec 2025 23:59:58 +0000")),
        of("../8", |_| {}),
        of("SM9", |it| it["from"] = json!(null)),
    ];
    let api = TestApi::start(move |_| Act::Answer(200, json!({"messages": listed}))).await;
    let found = connector().look_up(&a_message(&api.url, Content::text("Hi")), NOW).await;
    assert_eq!(found, Some(vec!["SM1".to_owned(), "SM7".to_owned()]));
    assert!(api.calls()[0].path.ends_with("/Messages.json?To=%2B491711234567&PageSize=50"), "{:?}", api.calls());
    // The text of the part is searched.
    let long = a_message(&api.url, Content::text(format!("{} Hi", "x".repeat(1_600))));
    assert_eq!(connector().look_up(&long, NOW).await, Some(Vec::new()));
    let last = Outbound { context: SendContext { part: 1, ..SendContext::default() }, ..long };
    assert_eq!(connector().look_up(&last, NOW).await.map(|found| found.len()), Some(2));
    // An error and no list are no answer.
    for act in [|| error(500, 20500, "Restart"), || Act::Answer(200, json!({}))] {
        let api = TestApi::start(move |_| act()).await;
        assert_eq!(connector().look_up(&a_message(&api.url, Content::text("Hi")), NOW).await, None);
    }
}

#[test]
fn counts_the_segments_of_all_parts() {
    let segments = |content: &Content| {
        let found = connector().segments(&connector().plan(&a_channel(""), content));
        found.map(|it| (it.encoding, it.count))
    };
    assert_eq!(segments(&Content::text("Hi")), Some((SegmentEncoding::Gsm7, 1)));
    assert_eq!(segments(&Content::text("x".repeat(1_601))), Some((SegmentEncoding::Gsm7, 11 + 1)));
    assert_eq!(segments(&Content::text("🦀")), Some((SegmentEncoding::Ucs2, 1)));
    let reply = QuickReply { title: "x".repeat(80), payload: None };
    let content = Content { quick_replies: vec![reply.clone(), reply], ..Content::text("Which?") };
    assert_eq!(segments(&content), Some((SegmentEncoding::Gsm7, 2)));
    assert_eq!(segments(&Content::of(MessageType::Template)), None);
}

#[tokio::test]
async fn rejects_a_part_that_the_message_does_not_have() {
    let context = SendContext { part: 1, ..SendContext::default() };
    let message = Outbound { context, ..a_message("http://127.0.0.1:9", Content::text("Hi")) };
    assert_outcome(&connector().send(message).await, "stopped");
}

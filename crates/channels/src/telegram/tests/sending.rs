//! Messages that are sent, and the outcomes of their requests.

use super::*;

#[tokio::test]
async fn sends_a_text_with_its_choices() {
    let api = TestApi::start(|_| sent()).await;
    let replies = ["Yes", "No"].map(|title| QuickReply { title: title.to_owned(), payload: None });
    let content = Content { quick_replies: replies.to_vec(), ..Content::text("*Zoë* 🦀_") };
    let message = a_message(&api.url, content);
    let id = message.message;
    assert_eq!(connector().send(message).await, accepted("7"));
    let Call { path, body, .. } = api.calls().remove(0);
    assert_eq!(path, format!("/bot{TOKEN}/sendMessage"));
    let keyboard = json!([
        [{"text": "Yes", "callback_data": format!("c:{id}:0")}],
        [{"text": "No", "callback_data": format!("c:{id}:1")}],
    ]);
    let expected = json!({"chat_id": 42, "text": "*Zoë* 🦀_", "reply_markup": {"inline_keyboard": keyboard}});
    assert_eq!(body, expected);
    assert!(format!("c:{id}:9").len() <= 64);
}

#[tokio::test]
async fn the_first_part_answers_a_message() {
    let answers = async |is_inbound: bool, id: &str| {
        let api = TestApi::start(|_| sent()).await;
        let (provider_message_id, subject, answers_to) = (id.to_owned(), None, None);
        let answered = EarlierMessage { is_inbound, provider_message_id, subject, answers_to };
        let context = SendContext { reply_to: Some(answered), ..SendContext::default() };
        let text = format!("1{}\n\n2", "x".repeat(4_094));
        let message = Outbound { context, ..a_message(&api.url, Content::text(text)) };
        assert_eq!(send_parts(&connector(), message).await, accepted("7"));
        let calls = api.calls();
        assert!(calls[1].body.get("reply_parameters").is_none());
        calls[0].body.get("reply_parameters").cloned()
    };
    let to = |id: i64| Some(json!({"message_id": id, "allow_sending_without_reply": true}));
    assert_eq!((answers(true, "42:5").await, answers(false, "6").await), (to(5), to(6)));
    // A pressed button is stored by the ID of its update.
    assert_eq!(answers(true, "900").await, None);
}

#[tokio::test]
async fn sends_a_long_text_in_parts() {
    let api = TestApi::start(|_| sent()).await;
    let text = "🦀".repeat(4_096);
    let replies = vec![QuickReply { title: "Yes".to_owned(), payload: None }];
    let content = Content { quick_replies: replies, ..Content::text(text.clone()) };
    assert_eq!(send_parts(&connector(), a_message(&api.url, content)).await, accepted("7"));
    let calls = api.calls();
    assert_eq!(calls.len(), 2);
    let texts: Vec<&str> = calls.iter().filter_map(|call| call.body["text"].as_str()).collect();
    assert!(texts.iter().all(|text| text.encode_utf16().count() == 4_096));
    assert_eq!(texts.concat(), text);
    assert!(calls[0].body.get("reply_markup").is_none() && calls[1].body.get("reply_markup").is_some());
}

#[tokio::test]
async fn each_part_has_its_own_outcome() {
    let is_first = |body: &Value| body["text"].as_str().is_some_and(|text| text.starts_with('1'));
    for (status, expected) in [(429, "later"), (500, "unknown"), (400, "provider_rejected"), (403, "blocked")] {
        let act = move |call: &Call| match is_first(&call.body) {
            true => sent(),
            false => error(status, "Forbidden: bot was blocked by the user"),
        };
        let api = TestApi::start(act).await;
        let text = format!("1{}\n\n2", "x".repeat(4_094));
        let outcome = send_parts(&connector(), a_message(&api.url, Content::text(text))).await;
        assert_outcome(&outcome, expected);
        assert_eq!(api.calls().len(), 2, "the first part is sent once");
    }
}

#[tokio::test]
async fn each_answer_has_its_meaning() {
    let wait = || Act::Answer(429, json!({"ok": false, "description": "Slow", "parameters": {"retry_after": 7}}));
    let later = answered(wait).await;
    let seven = Some(Duration::from_secs(7));
    let SendOutcome::TryLater { after, scope: RetryScope::Unstated, .. } = later else { panic!("{later:?}") };
    assert_eq!(after, seven);
    for (status, description, expected) in
        [(401, "Unauthorized", "invalid_token"), (404, "Not Found", "invalid_token"), (302, "", "unexpected_redirect")]
    {
        let outcome = answered(move || error(status, description)).await;
        let SendOutcome::ChannelFailed { code, after: None, .. } = outcome else { panic!("{status}: {outcome:?}") };
        assert_eq!(code, expected);
    }
    let outcome = answered(|| error(403, "Forbidden: bot was blocked by the user")).await;
    assert!(matches!(outcome, SendOutcome::Blocked { .. }), "{outcome:?}");
    for (status, description, expected) in [
        (403, "Forbidden: user is deactivated", "deactivated"),
        (403, "Forbidden: bot can't initiate conversation with a user", "not_started"),
        (400, "Bad Request: chat not found", "unreachable"),
        (400, "Bad Request: message text is empty", "provider_rejected"),
    ] {
        let outcome = answered(move || error(status, description)).await;
        assert!(matches!(&outcome, SendOutcome::Rejected { code, .. } if code == expected), "{outcome:?}");
    }
    for act in [|| error(500, "Restart"), || Act::BreakOff, || Act::Wait, || Act::Answer(200, json!("?"))] {
        let outcome = answered(act).await;
        assert!(matches!(outcome, SendOutcome::Unknown { .. }), "{outcome:?}");
    }
}

#[tokio::test]
async fn errors_do_not_contain_the_token() {
    let outcome = answered(|| error(400, &format!("Bad Request: /bot{TOKEN}/sendMessage"))).await;
    let SendOutcome::Rejected { message, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(message.text, "Telegram answered 400: Bad Request: /bot(hidden)/sendMessage.");
    assert_eq!((message.provider_code.as_deref(), message.http_status), (Some("400"), Some(400)));
    let outcome = answered(|| error(400, "Bad\0 \r\nRequest")).await;
    let SendOutcome::Rejected { message, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(message.text, "Telegram answered 400: Bad Request.", "the database stores no NUL");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let outcome = connector().send(a_message(&closed, Content::text("Hi"))).await;
    assert!(matches!(outcome, SendOutcome::TryLater { .. }), "{outcome:?}");
    assert!(!format!("{outcome:?}").contains("AAHdq"), "{outcome:?}");
    let trial = connector().test(&a_channel(&closed)).await;
    assert!(trial.error.is_some_and(|error| !error.contains("AAHdq")));
}

#[tokio::test]
async fn rejects_addresses_of_groups_and_templates() {
    let message = a_message("http://127.0.0.1:9", Content::text("Hi"));
    for (address, content, expected) in [
        ("-100123", Content::text("Hi"), "unreachable"),
        ("@public", Content::text("Hi"), "unreachable"),
        ("42", Content::of(MessageType::Template), "unsupported_type"),
    ] {
        let outcome = connector().send(Outbound { address: address.to_owned(), content, ..message.clone() }).await;
        assert!(matches!(&outcome, SendOutcome::Rejected { code, .. } if code == expected), "{outcome:?}");
    }
}

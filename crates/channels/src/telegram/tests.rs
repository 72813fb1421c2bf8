use std::time::Duration;

use serde_json::{Value, json};
use tidings_domain::conversations::{Attachment, InboundMessage, MessageType, QuickReply};
use tokio::net::TcpListener;

use super::*;
use crate::test_api::{Act, Call, TestApi};
use crate::test_channel::{assert_second_part_failed, channel_of, local_egress, message_to, sealer};

const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
const PATH: &str = "/inbound/guess";

fn connector() -> TelegramConnector {
    let bounds = Bounds { head: Duration::from_millis(300), ..BOUNDS };
    TelegramConnector { egress: local_egress(), sealer: Arc::new(sealer()), bounds }
}

fn a_channel(base_url: &str) -> Channel {
    let secrets = json!({"bot_token": TOKEN, "echo_secret": "s3cret"});
    channel_of(TELEGRAM.kind, json!({"base_url": base_url}), &secrets)
}

fn a_message(base_url: &str, content: Content) -> Outbound {
    message_to(a_channel(base_url), "42", content)
}

fn ok(result: Value) -> Act {
    Act::Answer(200, json!({"ok": true, "result": result}))
}

fn error(status: u16, description: &str) -> Act {
    Act::Answer(status, json!({"ok": false, "error_code": status, "description": description}))
}

fn sent() -> Act {
    ok(json!({"message_id": 7}))
}

async fn answered(act: impl Fn() -> Act + Send + Sync + 'static) -> SendOutcome {
    let api = TestApi::start(move |_| act()).await;
    let outcome = connector().send(a_message(&api.url, Content::text("Hi"))).await;
    assert!(!format!("{outcome:?}").contains("AAHdq"), "{outcome:?}");
    outcome
}

fn accepted(id: &str) -> SendOutcome {
    SendOutcome::Accepted { provider_message_id: Some(id.to_owned()) }
}

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
async fn sends_a_long_text_in_parts() {
    let api = TestApi::start(|_| sent()).await;
    let text = "🦀".repeat(4_096);
    let replies = vec![QuickReply { title: "Yes".to_owned(), payload: None }];
    let content = Content { quick_replies: replies, ..Content::text(text.clone()) };
    assert_eq!(connector().send(a_message(&api.url, content)).await, accepted("7"));
    let calls = api.calls();
    assert_eq!(calls.len(), 2);
    let texts: Vec<&str> = calls.iter().filter_map(|call| call.body["text"].as_str()).collect();
    assert!(texts.iter().all(|text| text.encode_utf16().count() == 4_096));
    assert_eq!(texts.concat(), text);
    assert!(calls[0].body.get("reply_markup").is_none() && calls[1].body.get("reply_markup").is_some());
}

#[tokio::test]
async fn never_repeats_parts_that_were_sent() {
    let is_first = |body: &Value| body["text"].as_str().is_some_and(|text| text.starts_with('1'));
    for (status, expected) in [(429, "unknown"), (500, "unknown"), (400, "provider_rejected"), (403, "blocked")] {
        let act = move |call: &Call| match is_first(&call.body) {
            true => sent(),
            false => error(status, "Forbidden: bot was blocked by the user"),
        };
        let api = TestApi::start(act).await;
        let text = format!("1{}\n\n2", "x".repeat(4_094));
        let outcome = connector().send(a_message(&api.url, Content::text(text))).await;
        assert_second_part_failed(outcome, expected);
    }
}

#[tokio::test]
async fn each_answer_has_its_meaning() {
    let wait = || Act::Answer(429, json!({"ok": false, "description": "Slow", "parameters": {"retry_after": 7}}));
    let later = answered(wait).await;
    assert!(matches!(later, SendOutcome::TryLater { after: Some(after), .. } if after.as_secs() == 7), "{later:?}");
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
    assert_eq!(message, "Telegram answered 400: Bad Request: /bot(hidden)/sendMessage.");
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

fn attachment(url: &str, name: Option<&str>, mime_type: Option<&str>) -> Attachment {
    Attachment { url: url.to_owned(), name: name.map(str::to_owned), mime_type: mime_type.map(str::to_owned) }
}

fn with(kind: MessageType, text: Option<&str>, attachments: &[Attachment]) -> Content {
    Content { text: text.map(str::to_owned), attachments: attachments.to_vec(), ..Content::of(kind) }
}

/// Sends a message; returns the methods and the bodies of its calls.
async fn calls(content: Content) -> Vec<(String, Value)> {
    let api = TestApi::start(|_| sent()).await;
    assert_eq!(connector().send(a_message(&api.url, content)).await, accepted("7"));
    api.calls().into_iter().map(|call| (call.name().replace("POST ", ""), call.body)).collect()
}

#[tokio::test]
async fn each_file_has_its_method() {
    use MessageType::{Audio, Card, File, Image, Video};
    for (kind, url, mime_type, method, member) in [
        (Image, "https://a.io/1", None, "sendPhoto", "photo"),
        (Image, "https://a.io/1.gif", None, "sendDocument", "document"),
        (Card, "https://a.io/1", Some("image/png"), "sendPhoto", "photo"),
        (Video, "https://a.io/1", None, "sendVideo", "video"),
        (Audio, "https://a.io/1.mp3", None, "sendAudio", "audio"),
        (Audio, "https://a.io/1", Some("audio/ogg; codecs=opus"), "sendVoice", "voice"),
        (File, "https://a.io/1.pdf", None, "sendDocument", "document"),
        (File, "https://a.io/1", Some("application/zip"), "sendDocument", "document"),
    ] {
        let sent = calls(with(kind, Some("Look"), &[attachment(url, None, mime_type)])).await;
        let body = json!({"chat_id": 42, member: url, "caption": "Look"});
        assert_eq!(sent, [(method.to_owned(), body)], "{kind:?} {url} {mime_type:?}");
    }
}

#[tokio::test]
async fn a_caption_belongs_to_a_single_file_and_choices_to_the_last_part() {
    let choices = |content: Content| Content {
        quick_replies: vec![QuickReply { title: "Yes".to_owned(), payload: None }],
        ..content
    };
    let one = attachment("https://a.io/1", None, None);
    let methods =
        async |content: Content| calls(content).await.into_iter().map(|(method, _)| method).collect::<Vec<_>>();
    // 1,024 UTF-16 code units.
    let fitting = "🦀".repeat(512);
    let image = with(MessageType::Image, Some(fitting.as_str()), std::slice::from_ref(&one));
    assert_eq!(methods(image).await, ["sendPhoto"]);
    let long = choices(with(MessageType::Image, Some(&format!("{fitting}x")), std::slice::from_ref(&one)));
    let sent = calls(long).await;
    let names: Vec<&str> = sent.iter().map(|(method, _)| method.as_str()).collect();
    assert_eq!(names, ["sendPhoto", "sendMessage"]);
    assert!(sent[0].1.get("reply_markup").is_none() && sent[1].1.get("reply_markup").is_some());
    assert_eq!(sent[0].1.get("caption"), None);

    let two = [one.clone(), attachment("https://a.io/2", None, None)];
    assert_eq!(methods(with(MessageType::Image, Some("Look"), &two)).await, ["sendPhoto", "sendPhoto", "sendMessage"]);
    let card = calls(choices(with(MessageType::Card, Some("Tea?"), &[one]))).await;
    assert_eq!((card.len(), &card[0].1["caption"]), (1, &json!("Tea?")));
    assert!(card[0].1.get("reply_markup").is_some());
}

#[tokio::test]
async fn sends_a_place_and_its_name() {
    let place = attachment("geo:52.5,13.25;u=35", None, None);
    let sent = calls(with(MessageType::Location, None, std::slice::from_ref(&place))).await;
    let body = json!({"chat_id": 42, "latitude": 52.5, "longitude": 13.25});
    assert_eq!(sent, [("sendLocation".to_owned(), body.clone())]);
    let named = Attachment { name: Some("Gate".to_owned()), ..place };
    let sent = calls(with(MessageType::Location, Some("Here"), &[named])).await;
    let text = json!({"chat_id": 42, "text": "Gate\nHere"});
    assert_eq!(sent, [("sendLocation".to_owned(), body), ("sendMessage".to_owned(), text)]);
}

#[test]
fn files_that_telegram_does_not_load_are_links() {
    use MessageType::{Audio, File, Image, Video};
    for (kind, url, mime_type) in [
        (Image, "http://a.io/1.png", None),
        (Image, "https://a.io/1.svg", None),
        (Video, "https://a.io/1.webm", None),
        (Audio, "https://a.io/1", Some("audio/wav")),
        (File, "https://a.io/1.docx", None),
        (File, "https://a.io/1", Some("text/plain")),
    ] {
        let content = with(kind, Some("Look"), &[attachment(url, Some("Bill"), mime_type)]);
        let expected = Content::text(format!("Look\nBill: {url}"));
        assert_eq!(connector().plan(&a_channel(""), &content), [expected], "{url}");
    }
}

#[tokio::test]
async fn a_refused_photo_is_sent_once_as_a_file() {
    let image = || with(MessageType::Image, Some("Look"), &[attachment("https://a.io/1", None, None)]);
    let act = |call: &Call| match call.name().as_str() {
        "POST sendPhoto" => error(400, "Bad Request: wrong type of the web page content"),
        _ => sent(),
    };
    let api = TestApi::start(act).await;
    assert_eq!(connector().send(a_message(&api.url, image())).await, accepted("7"));
    assert_eq!(api.names(), ["POST sendPhoto", "POST sendDocument"]);
    let expected = json!({"chat_id": 42, "document": "https://a.io/1", "caption": "Look"});
    assert_eq!(api.calls()[1].body, expected);

    let api = TestApi::start(|_| error(400, "Bad Request: failed to get HTTP URL content")).await;
    let outcome = connector().send(a_message(&api.url, image())).await;
    assert!(matches!(&outcome, SendOutcome::Rejected { code, .. } if code == "provider_rejected"), "{outcome:?}");
    assert_eq!(api.calls().len(), 2);
    let other: [fn() -> Act; 2] =
        [|| error(400, "Bad Request: chat not found"), || error(403, "Forbidden: bot was blocked by the user")];
    for act in other {
        let api = TestApi::start(move |_| act()).await;
        connector().send(a_message(&api.url, image())).await;
        assert_eq!(api.names(), ["POST sendPhoto"]);
    }
}

/// Behaves as a bot with one file of three bytes.
fn a_file(call: &Call) -> Act {
    match call.path.starts_with("/file/") {
        true => Act::File("application/octet-stream", b"abc".to_vec()),
        false => ok(json!({"file_id": "AgAC", "file_size": 3, "file_path": "photos/file_1.jpg"})),
    }
}

#[tokio::test]
async fn fetches_a_file_by_its_id() {
    let api = TestApi::start(a_file).await;
    let fetched = connector().fetch_media(&a_channel(&api.url), "AgAC", 3).await;
    let name = Some("file_1.jpg".to_owned());
    assert_eq!(fetched, Ok(FetchedMedia { bytes: b"abc".to_vec(), mime_type: None, name }));
    let expected = [format!("POST /bot{TOKEN}/getFile"), format!("GET /file/bot{TOKEN}/photos/file_1.jpg")];
    assert_eq!(api.lines(), expected);
    assert_eq!(api.calls()[0].body, json!({"file_id": "AgAC"}));
}

#[tokio::test]
async fn a_large_file_is_not_loaded() {
    let api = TestApi::start(a_file).await;
    let fetched = connector().fetch_media(&a_channel(&api.url), "AgAC", 2).await;
    assert_eq!((fetched, api.calls().len()), (Err(FetchFailure::TooLarge), 1));
    let unsized_file = |call: &Call| match call.path.starts_with("/file/") {
        true => Act::File("image/jpeg", b"abc".to_vec()),
        false => ok(json!({"file_path": "file_1"})),
    };
    let api = TestApi::start(unsized_file).await;
    let fetched = connector().fetch_media(&a_channel(&api.url), "AgAC", 2).await;
    assert_eq!((fetched, api.calls().len()), (Err(FetchFailure::TooLarge), 2));
    let api = TestApi::start(|_| error(400, "Bad Request: file is too big")).await;
    assert_eq!(connector().fetch_media(&a_channel(&api.url), "AgAC", 2).await, Err(FetchFailure::TooLarge));
}

#[tokio::test]
async fn a_file_that_is_not_loaded_is_gone_or_fetched_again() {
    let fetched = async |act: fn(&Call) -> Act| {
        let api = TestApi::start(act).await;
        let fetched = connector().fetch_media(&a_channel(&api.url), "AgAC", 9).await;
        assert!(!format!("{fetched:?}").contains("AAHdq"), "{fetched:?}");
        fetched.unwrap_err()
    };
    let gone: [fn(&Call) -> Act; 3] = [
        |_| error(400, "Bad Request: invalid file_id"),
        |_| ok(json!({"file_path": "../bot/getMe"})),
        |call| match call.path.starts_with("/file/") {
            true => Act::Answer(404, json!({})),
            false => a_file(call),
        },
    ];
    for act in gone {
        let failure = fetched(act).await;
        assert!(matches!(failure, FetchFailure::Gone(_)), "{failure:?}");
    }
    let later: [fn(&Call) -> Act; 6] = [
        |_| error(400, "Bad Request: file is temporarily unavailable"),
        |_| error(401, "Unauthorized"),
        |_| error(429, "Too Many Requests"),
        |_| error(500, "Restart"),
        |_| Act::BreakOff,
        |call| match call.path.starts_with("/file/") {
            true => Act::BreakOff,
            false => a_file(call),
        },
    ];
    for act in later {
        let failure = fetched(act).await;
        assert!(matches!(failure, FetchFailure::Retry(_)), "{failure:?}");
    }
    let without_token = channel_of(TELEGRAM.kind, json!({}), &json!({}));
    let fetched = connector().fetch_media(&without_token, "AgAC", 9).await;
    assert!(matches!(fetched, Err(FetchFailure::Retry(_))), "{fetched:?}");
}

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
    assert_eq!(webhook["allowed_updates"], json!(["message", "callback_query", "my_chat_member"]));
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

fn a_request(secret: Option<&str>, body: &Value) -> InboundRequest {
    let headers = secret.map(|secret| (SECRET_HEADER.to_owned(), secret.to_owned())).into_iter().collect();
    InboundRequest { headers, body: body.to_string().into_bytes(), ..InboundRequest::default() }
}

#[test]
fn a_request_is_verified_by_the_secret_of_its_channel() {
    let (connector, channel) = (connector(), a_channel("https://api.telegram.org"));
    assert!(!connector.is_signed(&a_request(None, &json!({}))));
    assert!(connector.is_signed(&a_request(Some("s3cret"), &json!({}))));
    let verify = |secret: &str| connector.verify(&channel, &a_request(Some(secret), &json!({})));
    assert_eq!(verify("s3cret"), Ok(()));
    for wrong in ["", "s3cre", "s3cret!", "S3cret"] {
        assert_eq!(verify(wrong), Err(Unverified::Signature), "{wrong}");
    }
}

fn parsed(update: &Value) -> Vec<InboundEvent> {
    let channel = a_channel("https://api.telegram.org");
    connector().parse(&channel, &a_request(None, update)).unwrap()
}

/// Returns the update of a private message with these members.
fn a_private(members: Value) -> Value {
    let mut message = json!({
        "message_id": 5,
        "date": 1_767_225_600,
        "chat": {"id": 42, "type": "private"},
        "from": {"id": 42, "is_bot": false, "first_name": "Ada", "last_name": "King", "language_code": "pt-br"},
    });
    let Value::Object(members) = members else { panic!("an object") };
    message.as_object_mut().unwrap().extend(members);
    json!({"update_id": 900, "message": message})
}

fn message(update: &Value) -> InboundMessage {
    let [InboundEvent::Message(message)] = &parsed(update)[..] else { panic!("{update}") };
    InboundMessage::clone(message)
}

#[test]
fn reads_a_text_and_its_sender() {
    let message = message(&a_private(json!({"text": "/start spring"})));
    assert_eq!((message.id.as_str(), message.address.as_str()), ("900", "42"));
    assert_eq!(message.content, Content::text("/start spring"));
    let profile = message.profile;
    assert_eq!((profile.first_name.as_deref(), profile.last_name.as_deref()), (Some("Ada"), Some("King")));
    assert_eq!(profile.locale.map(|it| it.to_string()).as_deref(), Some("pt-br"));
}

#[test]
fn reads_a_file_with_its_caption() {
    use MessageType::{Audio, File, Image, Video};
    let file = |members: Value| {
        let mut file = json!({"file_id": "AgAC_x-1"});
        let Value::Object(members) = members else { panic!("an object") };
        file.as_object_mut().unwrap().extend(members);
        file
    };
    let size = |id: &str, width: u64| json!({"file_id": id, "width": width, "height": width});
    for (members, kind, text, expected) in [
        (
            json!({"photo": [size("small", 90), size("large", 1_280), size("middle", 320)], "caption": "My cat"}),
            Image,
            Some("My cat"),
            attachment("provider:large", None, Some("image/jpeg")),
        ),
        (
            json!({"document": file(json!({"file_name": "../bill.pdf", "mime_type": "application/pdf"}))}),
            File,
            None,
            attachment("provider:AgAC_x-1", Some("bill.pdf"), Some("application/pdf")),
        ),
        (
            json!({"animation": file(json!({})), "document": {"file_id": "x", "file_name": "a.gif"}, "caption": " "}),
            Video,
            None,
            attachment("provider:AgAC_x-1", None, Some("video/mp4")),
        ),
        (json!({"video_note": file(json!({}))}), Video, None, attachment("provider:AgAC_x-1", None, Some("video/mp4"))),
        (
            json!({"voice": file(json!({"mime_type": "audio/ogg; codecs=opus"}))}),
            Audio,
            None,
            attachment("provider:AgAC_x-1", None, Some("audio/ogg")),
        ),
        (
            json!({"audio": file(json!({"title": "Song"}))}),
            Audio,
            None,
            attachment("provider:AgAC_x-1", Some("Song"), Some("audio/mpeg")),
        ),
        (
            json!({"sticker": file(json!({"emoji": "😀"}))}),
            Image,
            Some("😀"),
            attachment("provider:AgAC_x-1", None, Some("image/webp")),
        ),
        (
            json!({"sticker": file(json!({"is_video": true, "thumbnail": {"file_id": "still"}}))}),
            Image,
            None,
            attachment("provider:still", None, None),
        ),
    ] {
        let content = message(&a_private(members.clone())).content;
        assert_eq!(content, with(kind, text, &[expected]), "{members}");
    }
}

#[test]
fn shows_what_has_no_file_as_a_text() {
    for (members, expected) in [
        (json!({"photo": [{"width": 1}], "caption": "My cat"}), "[photo] My cat"),
        (json!({"video": {"file_id": "a b"}}), "[video]"),
        (json!({"sticker": {"file_id": "x", "is_animated": true, "emoji": "😀"}}), "[sticker] 😀"),
        (json!({"dice": {"emoji": "🎲", "value": 3}}), "[dice]"),
        (json!({"document": {"file_name": "bill.pdf"}}), "[file] bill.pdf"),
        (json!({"animation": {}, "document": {"file_name": "a.gif"}}), "[animation] a.gif"),
        (json!({"sticker": {"emoji": "😀"}}), "[sticker] 😀"),
        (json!({"voice": {}}), "[voice message]"),
        (json!({"contact": {"first_name": "Bo", "phone_number": "+4930"}}), "[contact] Bo +4930"),
        (json!({"poll": {"question": "Tea?"}}), "[poll] Tea?"),
        (json!({"hologram": {}}), "[unsupported message]"),
        (json!({"text": " \n"}), "[unsupported message]"),
        (json!({"text": "a\u{0}b"}), "ab"),
    ] {
        assert_eq!(message(&a_private(members.clone())).content, Content::text(expected), "{members}");
    }
    let place = json!({"latitude": 52.5163, "longitude": 13.3777});
    let content = message(&a_private(json!({"location": place, "venue": {"title": "Gate"}}))).content;
    assert_eq!((content.kind, content.attachments[0].url.as_str()), (MessageType::Location, "geo:52.5163,13.3777"));
    assert_eq!(content.attachments[0].name.as_deref(), Some("Gate"));
}

#[test]
fn a_pressed_button_says_its_title() {
    let keyboard = json!({"inline_keyboard": [[{"text": "Yes", "callback_data": "c:m:0"}], [{"text": "No", "callback_data": "c:m:1"}]]});
    let from = json!({"id": 42, "first_name": "Ada"});
    let of = |message: Value| json!({"update_id": 901, "callback_query": {"id": "77", "from": from, "data": "c:m:1", "message": message}});
    let chat = json!({"id": 42, "type": "private"});
    let update = of(json!({"message_id": 6, "chat": chat, "reply_markup": keyboard}));
    let pressed = message(&update);
    assert_eq!((pressed.id.as_str(), pressed.content), ("901", Content::text("No")));
    let request = a_request(None, &update);
    assert!(connector().acknowledges(&request));
    assert_eq!(update::query(&request.body), Some(("77".to_owned(), Some((42, 6)))));
    // Telegram leaves out the content of old messages.
    assert_eq!(message(&of(json!({"message_id": 6, "chat": chat, "date": 0}))).content, Content::text("[button]"));
    assert!(!connector().acknowledges(&a_request(None, &a_private(json!({"text": "\"callback_query\""})))));
}

#[tokio::test]
async fn acknowledges_a_pressed_button() {
    let api = TestApi::start(|_| ok(json!(true))).await;
    let update = json!({"callback_query": {"id": "77", "message": {"message_id": 6, "chat": {"id": 42}}}});
    connector().acknowledge(&a_channel(&api.url), &a_request(None, &update)).await;
    let expected = [json!({"callback_query_id": "77"}), json!({"chat_id": 42, "message_id": 6})];
    assert_eq!(api.names(), ["POST answerCallbackQuery", "POST editMessageReplyMarkup"]);
    assert_eq!(api.calls().into_iter().map(|call| call.body).collect::<Vec<_>>(), expected);
}

#[test]
fn a_contact_can_block_the_bot() {
    let update = |status: &str| json!({"update_id": 1, "my_chat_member": {"chat": {"id": 42, "type": "private"}, "new_chat_member": {"status": status}}});
    assert_eq!(parsed(&update("kicked")), [InboundEvent::Blocked("42".to_owned())]);
    assert_eq!(parsed(&update("member")), []);
}

#[test]
fn ignores_groups_bots_and_service_messages() {
    let group = json!({"chat": {"id": -7, "type": "group"}, "text": "Hi"});
    let bot = json!({"from": {"id": 43, "is_bot": true}, "text": "Hi"});
    for members in [group, bot, json!({"pinned_message": {}})] {
        assert_eq!(parsed(&a_private(members.clone())), [], "{members}");
    }
    let update = a_private(json!({"text": "Hi"}));
    let message = &update["message"];
    for kind in ["edited_message", "channel_post", "edited_channel_post", "business_message"] {
        assert_eq!(parsed(&json!({"update_id": 1, kind: message})), [], "{kind}");
    }
    // A reaction is set, and then taken back.
    let chat = json!({"id": 42, "type": "private"});
    let thumb = json!([{"type": "emoji", "emoji": "👍"}]);
    for (before, after) in [(json!([]), thumb.clone()), (thumb, json!([]))] {
        let reaction = json!({"chat": chat, "message_id": 5, "old_reaction": before, "new_reaction": after});
        assert_eq!(parsed(&json!({"update_id": 1, "message_reaction": reaction})), []);
    }
    assert_eq!(parsed(&json!({"update_id": 1, "message": "Hi"})), []);
}

#[test]
fn rejects_bodies_that_are_no_updates() {
    let channel = a_channel("https://api.telegram.org");
    let deep = "[".repeat(10_000);
    for body in ["", "{", "[]", "{}", r#"{"update_id":"1"}"#, deep.as_str()] {
        let request = InboundRequest { body: body.as_bytes().to_vec(), ..InboundRequest::default() };
        let refused = connector().parse(&channel, &request);
        assert!(matches!(refused, Err(Refusal::Malformed { .. })), "{refused:?}");
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

//! Files, places and captions that are sent, and files that are fetched.

use super::*;

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

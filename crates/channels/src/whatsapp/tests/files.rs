//! Files, places and captions that are sent, and files that are fetched.

use super::*;

#[tokio::test]
async fn each_file_has_its_type() {
    use MessageType::{Audio, Card, File, Image, Video};
    let link = "https://a.io/1";
    for (kind, mime_type, name, sent, content) in [
        (Image, None, None, "image", json!({"link": link, "caption": "Look"})),
        (Card, Some("image/png"), None, "image", json!({"link": link, "caption": "Look"})),
        (Video, Some("video/mp4"), None, "video", json!({"link": link, "caption": "Look"})),
        (File, None, Some("Bill.pdf"), "document", json!({"link": link, "caption": "Look", "filename": "Bill.pdf"})),
        // Formats that WhatsApp does not show are documents.
        (Image, Some("image/webp"), None, "document", json!({"link": link, "caption": "Look", "filename": "1"})),
        (Video, Some("video/webm"), None, "document", json!({"link": link, "caption": "Look", "filename": "1"})),
        (Audio, Some("audio/wav"), None, "document", json!({"link": link, "caption": "Look", "filename": "1"})),
    ] {
        let content_of = with(kind, Some("Look"), &[attachment(link, name, mime_type)]);
        let called = bodies(|url| a_message(url, content_of)).await;
        assert_eq!(called.len(), 1);
        assert_eq!((&called[0]["type"], &called[0][sent]), (&json!(sent), &content), "{kind:?} {mime_type:?}");
    }
    let audio = with(Audio, Some("Listen"), &[attachment(link, None, Some("audio/ogg; codecs=opus"))]);
    let sent = bodies(|url| a_message(url, audio)).await;
    assert_eq!((&sent[0]["audio"], &sent[1]["text"]), (&json!({"link": link}), &json!({"body": "Listen"})));
}

#[tokio::test]
async fn files_go_before_texts_and_choices() {
    let kinds = async |content: Content| {
        let sent = bodies(|url| a_message(url, content)).await;
        sent.into_iter().map(|body| body["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let one = attachment("https://a.io/1", None, None);
    let two = [one.clone(), attachment("https://a.io/2", None, None)];
    let choices = |content: Content| Content { quick_replies: with_choices("", &["Yes"]).quick_replies, ..content };
    let long = "x".repeat(1_025);
    let image = |text: Option<&str>| with(MessageType::Image, text, std::slice::from_ref(&one));
    assert_eq!(kinds(image(Some(long.as_str()))).await, ["image", "text"]);
    assert_eq!(kinds(with(MessageType::Image, Some("Look"), &two)).await, ["image", "image", "text"]);
    assert_eq!(kinds(choices(image(Some("Look")))).await, ["image", "interactive"]);
    assert_eq!(kinds(choices(image(Some(long.as_str())))).await, ["image", "text", "interactive"]);
    let wordless = choices(image(None));
    let sent = bodies(|url| a_message(url, wordless)).await;
    assert_eq!(sent[1]["interactive"]["body"], json!({"text": "Options"}));
}

#[tokio::test]
async fn sends_a_place_with_its_name() {
    let place = attachment("geo:52.5,13.25", Some("Gate"), None);
    let sent = bodies(|url| a_message(url, with(MessageType::Location, Some("Here"), &[place]))).await;
    let expected = json!({"latitude": 52.5, "longitude": 13.25, "name": "Gate"});
    assert_eq!((&sent[0]["location"], &sent[1]["text"]["body"]), (&expected, &json!("Here")));
}

#[test]
fn files_that_whatsapp_cannot_load_are_links() {
    let content = with(MessageType::File, None, &[attachment("http://a.io/1", Some("Bill"), None)]);
    assert_eq!(connector().plan(&a_channel(""), &content), [Content::text("Bill: http://a.io/1")]);
}

#[tokio::test]
async fn a_rejected_file_after_the_first_part_is_tried_again() {
    let act = |call: &Call| match call.body["image"]["link"] == "https://a.io/2" {
        true => error(400, 131_053),
        false => sent(),
    };
    let api = TestApi::start(act).await;
    let two = ["https://a.io/1", "https://a.io/2"].map(|url| attachment(url, None, None));
    let message = a_message(&api.url, with(MessageType::Image, None, &two));
    assert_outcome(&send_parts(&connector(), message.clone()).await, "later");
    let again = Outbound { context: SendContext { part: 1, ..SendContext::default() }, attempts: 2, ..message };
    assert_outcome(&connector().send(again).await, "media_rejected");
    assert_eq!(api.calls().len(), 3, "the first part is sent once");
}

#[tokio::test]
async fn fetches_a_file_with_the_token_only_for_meta() {
    let files = TestApi::start(|_| Act::File("image/png", b"abc".to_vec())).await;
    let elsewhere = format!("{}/signed", files.url);
    let api = TestApi::start(move |call| match (call.name().as_str(), call.path.contains("/77")) {
        ("GET file", _) => Act::File("application/octet-stream", b"abc".to_vec()),
        (_, true) => ok(json!({"url": elsewhere, "file_size": "3", "id": "77"})),
        (_, false) => {
            let host = call.host.clone();
            ok(json!({"url": format!("http://{host}/file?mid=1"), "mime_type": "image/jpeg", "file_size": 3}))
        }
    })
    .await;
    let channel = a_channel(&api.url);
    let fetched = connector().fetch_media(&channel, "1234", 3).await;
    let media =
        |mime_type: &str| FetchedMedia { bytes: b"abc".to_vec(), mime_type: Some(mime_type.to_owned()), name: None };
    assert_eq!(fetched, Ok(media("image/jpeg")));
    assert_eq!(api.lines(), ["GET /v25.0/1234", "GET /file?mid=1"]);
    let file = api.calls().remove(1);
    assert_eq!((file.authorization, file.user_agent.is_empty()), (format!("Bearer {TOKEN}"), false));

    assert_eq!(connector().fetch_media(&channel, "77", 3).await, Ok(media("image/png")));
    assert_eq!(files.calls()[0].authorization, "", "another host does not get the token");
}

#[tokio::test]
async fn a_file_that_is_not_loaded_is_gone_or_fetched_again() {
    let fetched = async |act: fn(&Call) -> Act, limit: u64| {
        let api = TestApi::start(act).await;
        let fetched = connector().fetch_media(&a_channel(&api.url), "1234", limit).await;
        assert!(!format!("{fetched:?}").contains("EAAJB"), "{fetched:?}");
        fetched.unwrap_err()
    };
    let gone: [fn(&Call) -> Act; 4] = [
        |_| error(400, 100),
        |_| ok(json!({"id": "1234"})),
        |_| ok(json!({"url": "http://10.0.0.1/file"})),
        |call| match call.name().as_str() {
            "GET file" => Act::Redirect("http://10.0.0.1/file".to_owned()),
            _ => ok(json!({"url": format!("http://{}/file", call.host)})),
        },
    ];
    for act in gone {
        let failure = fetched(act, 9).await;
        assert!(matches!(failure, FetchFailure::Gone(_)), "{failure:?}");
    }
    let later: [fn(&Call) -> Act; 5] =
        [|_| error(401, 190), |_| error(400, 131_052), |_| error(429, 4), |_| error(503, 2), |_| Act::BreakOff];
    for act in later {
        let failure = fetched(act, 9).await;
        assert!(matches!(failure, FetchFailure::Retry(_)), "{failure:?}");
    }
    let large: fn(&Call) -> Act = |_| ok(json!({"url": "http://10.0.0.1/file", "file_size": 10}));
    assert_eq!(fetched(large, 9).await, FetchFailure::TooLarge);
    let api = TestApi::start(|_| ok(json!({}))).await;
    let outcome = connector().fetch_media(&a_channel(&api.url), "../me", 9).await;
    assert!(matches!(outcome, Err(FetchFailure::Gone(_))), "{outcome:?}");
    assert_eq!(api.calls().len(), 0);
}

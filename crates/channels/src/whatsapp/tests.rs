use std::time::Duration;

use serde_json::{Value, json};
use tidings_domain::conversations::{
    Attachment, InboundMessage, MessageError, MessageTemplate, MessageType, QuickReply, Report, StatusReport,
    Suppression,
};
use tidings_domain::ids::{MessageId, TypedId};
use uuid::Uuid;

use super::*;
use crate::graph::SIGNATURE;
use crate::test_api::{Act, Call, TestApi};
use crate::test_channel::{assert_second_part_failed, channel_of, local_egress, message_to, sealer};

const TOKEN: &str = "EAAJB0123456789abcdef";
const PATH: &str = "/inbound/guess";

fn connector() -> WhatsappConnector {
    let bounds = Bounds { head: Duration::from_millis(300), ..BOUNDS };
    WhatsappConnector { egress: local_egress(), sealer: Arc::new(sealer()), bounds, pace: Pace::default() }
}

fn a_channel_with(base_url: &str, secrets: &Value) -> Channel {
    let config = json!({"phone_number_id": "106540", "waba_id": "102290", "base_url": base_url});
    channel_of(WHATSAPP.kind, config, secrets)
}

fn secrets() -> Value {
    json!({"access_token": TOKEN, "app_secret": "app-s3cret", "echo_secret": "t0ken"})
}

fn a_channel(base_url: &str) -> Channel {
    a_channel_with(base_url, &secrets())
}

fn a_message(base_url: &str, content: Content) -> Outbound {
    message_to(a_channel(base_url), "491711234567", content)
}

fn ok(body: Value) -> Act {
    Act::Answer(200, body)
}

fn error(status: u16, code: i64) -> Act {
    Act::Answer(status, json!({"error": {"message": "It failed.", "type": "OAuthException", "code": code}}))
}

fn sent() -> Act {
    let contacts = json!([{"input": "491711234567", "wa_id": "491711234567"}]);
    ok(json!({"messaging_product": "whatsapp", "contacts": contacts, "messages": [{"id": "wamid.7"}]}))
}

/// Returns the outcome of a message after this response, and after `attempts` earlier ones.
async fn answered(attempts: i32, act: impl Fn() -> Act + Send + Sync + 'static) -> SendOutcome {
    let api = TestApi::start(move |_| act()).await;
    let outcome = connector().send(Outbound { attempts, ..a_message(&api.url, Content::text("Hi")) }).await;
    assert!(!format!("{outcome:?}").contains("EAAJB"), "{outcome:?}");
    outcome
}

fn accepted(id: &str) -> SendOutcome {
    SendOutcome::Accepted { provider_message_id: Some(id.to_owned()) }
}

fn with_choices(text: &str, titles: &[&str]) -> Content {
    let reply = |title: &&str| QuickReply { title: (*title).to_owned(), payload: None };
    Content { quick_replies: titles.iter().map(reply).collect(), ..Content::text(text) }
}

/// Sends a message, and returns the bodies of its calls.
async fn bodies(message: impl FnOnce(&str) -> Outbound) -> Vec<Value> {
    let api = TestApi::start(|_| sent()).await;
    assert_eq!(connector().send(message(&api.url)).await, accepted("wamid.7"));
    api.calls().into_iter().map(|call| call.body).collect()
}

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

fn attachment(url: &str, name: Option<&str>, mime_type: Option<&str>) -> Attachment {
    Attachment { url: url.to_owned(), name: name.map(str::to_owned), mime_type: mime_type.map(str::to_owned) }
}

fn with(kind: MessageType, text: Option<&str>, attachments: &[Attachment]) -> Content {
    Content { text: text.map(str::to_owned), attachments: attachments.to_vec(), ..Content::of(kind) }
}

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
async fn a_rejected_file_after_the_first_part_is_final() {
    let act = |call: &Call| match call.body["image"]["link"] == "https://a.io/2" {
        true => error(400, 131_053),
        false => sent(),
    };
    let api = TestApi::start(act).await;
    let two = ["https://a.io/1", "https://a.io/2"].map(|url| attachment(url, None, None));
    let outcome = connector().send(a_message(&api.url, with(MessageType::Image, None, &two))).await;
    assert_second_part_failed(outcome, "media_rejected");
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
    let gone: [fn(&Call) -> Act; 3] =
        [|_| error(400, 100), |_| ok(json!({"id": "1234"})), |_| ok(json!({"url": "http://10.0.0.1/file"}))];
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
        assert!(matches!(&outcome, SendOutcome::Rejected { code, .. } if code == expected), "{code}: {outcome:?}");
    }
    for (code, reason) in [(131_047, Suppression::WindowClosed), (131_050, Suppression::MarketingStopped)] {
        assert_eq!(answered(0, move || error(400, code)).await, SendOutcome::Suppressed { reason });
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
            assert!(matches!(outcome, SendOutcome::TryLater { .. }), "{code}: {outcome:?}");
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
        let SendOutcome::TryLater { after: Some(after), .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!(after.as_secs(), seconds, "{attempts}");
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

#[tokio::test]
async fn messages_wait_for_the_pace_of_the_channel() {
    let api = TestApi::start(|_| sent()).await;
    let connector = connector();
    let mut message = a_message(&api.url, Content::text("Hi"));
    message.channel.endpoint.as_mut().unwrap().config.insert("messages_per_second".to_owned(), json!(1));
    // The first message takes the time of seven.
    let long = Content::text("x".repeat(7 * 4_096));
    assert_eq!(connector.send(Outbound { content: long, ..message.clone() }).await, accepted("wamid.7"));
    let outcome = connector.send(message).await;
    let SendOutcome::TryLater { after: Some(after), .. } = outcome else { panic!("{outcome:?}") };
    assert!((6..=7).contains(&after.as_secs()), "{after:?}");
    assert_eq!(api.calls().len(), 7);
}

#[tokio::test]
async fn never_repeats_parts_that_were_sent() {
    for (code, expected) in
        [(130_429, "unknown"), (131_000, "unknown"), (131_026, "undeliverable"), (131_047, "window_closed")]
    {
        let act = move |call: &Call| match call.body["type"] == "text" {
            true => sent(),
            false => error(400, code),
        };
        let api = TestApi::start(act).await;
        let content = with_choices(&format!("{} {}", "x".repeat(1_024), "y".repeat(1_024)), &["Yes"]);
        let outcome = connector().send(a_message(&api.url, content)).await;
        assert_second_part_failed(outcome, expected);
    }
}

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

fn a_request(secret: &str, body: &str) -> InboundRequest {
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret.as_bytes());
    let tag = ring::hmac::sign(&key, body.as_bytes());
    let digits: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let headers = vec![(SIGNATURE.to_owned(), format!("sha256={digits}"))];
    InboundRequest { headers, body: body.as_bytes().to_vec(), ..InboundRequest::default() }
}

#[test]
fn a_request_is_verified_by_the_app_secret() {
    let (connector, channel) = (connector(), a_channel("https://graph.facebook.com"));
    assert!(!connector.is_signed(&InboundRequest::default()));
    assert!(connector.is_signed(&a_request("app-s3cret", "{}")));
    assert_eq!(connector.verify(&channel, &a_request("app-s3cret", "{}")), Ok(()));
    for wrong in ["", TOKEN, "t0ken", "app-s3crets"] {
        assert_eq!(connector.verify(&channel, &a_request(wrong, "{}")), Err(Unverified::Signature), "{wrong}");
    }
    let without = a_channel_with("https://graph.facebook.com", &json!({"access_token": TOKEN}));
    assert_eq!(connector.verify(&without, &a_request("", "{}")), Err(Unverified::Secret));
}

#[test]
fn the_check_of_the_address_needs_the_token_of_the_channel() {
    let (connector, channel) = (connector(), a_channel("https://graph.facebook.com"));
    let asked = |token: &str| {
        let query = format!("hub.mode=subscribe&hub.challenge=1158&hub.verify_token={token}");
        connector.handshake(&channel, &InboundRequest { query, ..InboundRequest::default() })
    };
    assert_eq!(asked("t0ken"), Some(Handshake::Accepted("1158".to_owned())));
    assert_eq!(asked("app-s3cret"), Some(Handshake::Refused));
}

fn parsed(body: &Value) -> Vec<InboundEvent> {
    let channel = a_channel("https://graph.facebook.com");
    let request = InboundRequest { body: body.to_string().into_bytes(), ..InboundRequest::default() };
    connector().parse(&channel, &request).unwrap()
}

/// Returns the value of a change about the channel's number.
fn a_value(members: Value) -> Value {
    let mut value = json!({
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": "49171", "phone_number_id": "106540"},
        "contacts": [{"profile": {"name": "Ada"}, "wa_id": "491711234567", "user_id": "DE.1349"}],
    });
    let Value::Object(members) = members else { panic!("an object") };
    value.as_object_mut().unwrap().extend(members);
    value
}

fn a_body(values: &[Value]) -> Value {
    let changes: Vec<Value> = values.iter().map(|value| json!({"field": "messages", "value": value})).collect();
    json!({"object": "whatsapp_business_account", "entry": [{"id": "102290", "changes": changes}]})
}

/// Returns a message of the contact with these members.
fn a_written(members: Value) -> Value {
    let mut message =
        json!({"from": "491711234567", "from_user_id": "DE.1349", "id": "wamid.1", "timestamp": "1767225600"});
    let Value::Object(members) = members else { panic!("an object") };
    message.as_object_mut().unwrap().extend(members);
    message
}

fn message(members: Value) -> InboundMessage {
    let body = a_body(&[a_value(json!({"messages": [a_written(members)]}))]);
    let [InboundEvent::Message(message)] = &parsed(&body)[..] else { panic!("{body}") };
    InboundMessage::clone(message)
}

#[test]
fn reads_a_text_and_its_sender() {
    let message = message(json!({"type": "text", "text": {"body": "Hello"}}));
    assert_eq!((message.id.as_str(), message.address.as_str()), ("wamid.1", "491711234567"));
    assert_eq!(message.content, Content::text("Hello"));
    assert_eq!(message.profile.first_name.as_deref(), Some("Ada"));
    assert_eq!(message.profile.phone.map(|phone| phone.to_string()).as_deref(), Some("+491711234567"));
    assert_eq!(message.profile.aliases, ["DE.1349"]);
}

#[test]
fn a_sender_may_hide_the_number() {
    let says = json!({"type": "text", "text": {"body": "Hello"}});
    for from in [json!("DE.1349"), Value::Null] {
        let mut written = a_written(says.clone());
        written["from"] = from;
        let contacts = json!([{"profile": {"username": "ada"}, "user_id": "DE.1349"}]);
        let body = a_body(&[a_value(json!({"messages": [written], "contacts": contacts}))]);
        let [InboundEvent::Message(message)] = &parsed(&body)[..] else { panic!("{body}") };
        assert_eq!((message.address.as_str(), &message.profile.phone), ("DE.1349", &None));
        assert_eq!((message.profile.first_name.as_deref(), message.profile.aliases.len()), (Some("ada"), 0));
    }
    let mut nobody = a_written(says);
    (nobody["from"], nobody["from_user_id"]) = (json!("a b"), Value::Null);
    assert_eq!(parsed(&a_body(&[a_value(json!({"messages": [nobody]}))])), []);
}

#[test]
fn a_message_has_the_first_contact_with_its_number_or_user() {
    let named = |name: &str, ids: Value| {
        let mut contact = json!({"profile": {"name": name}});
        let Value::Object(ids) = ids else { panic!("an object") };
        contact.as_object_mut().unwrap().extend(ids);
        contact
    };
    let (number, user) = (json!({"wa_id": "491711234567"}), json!({"user_id": "DE.1349"}));
    let other = json!({"wa_id": "4930", "user_id": "DE.7"});
    for (contacts, expected) in [
        (vec![named("Bo", other.clone()), named("Ada", number.clone()), named("Eve", number.clone())], Some("Ada")),
        (vec![named("Bo", user.clone()), named("Ada", number)], Some("Ada")),
        (vec![named("Ada", user.clone()), named("Eve", user)], Some("Ada")),
        (vec![named("Bo", other), json!({}), Value::Null], None),
    ] {
        let written = a_written(json!({"type": "text", "text": {"body": "Hello"}}));
        let body = a_body(&[a_value(json!({"messages": [written], "contacts": contacts}))]);
        let [InboundEvent::Message(message)] = &parsed(&body)[..] else { panic!("{body}") };
        assert_eq!(message.profile.first_name.as_deref(), expected, "{body}");
        assert_eq!(message.address, "491711234567");
    }
}

#[test]
fn answers_have_the_title_of_their_choice() {
    let reply = |kind: &str, reply: Value| json!({"type": "interactive", "interactive": {"type": kind, kind: reply}});
    for (members, expected) in [
        (json!({"type": "button", "button": {"text": "Yes", "payload": "y"}}), "Yes"),
        (reply("button_reply", json!({"id": "1", "title": "Yes"})), "Yes"),
        (
            reply("list_reply", json!({"id": "c:msg_1:3:A long: title", "title": "A long", "description": "x"})),
            "A long: title",
        ),
        (reply("list_reply", json!({"id": "c:msg_1:3:", "title": "A"})), "A"),
        (reply("nfm_reply", json!({"body": "Sent", "response_json": "{}"})), "Sent"),
        (json!({"type": "interactive"}), "[unsupported message]"),
    ] {
        assert_eq!(message(members.clone()).content, Content::text(expected), "{members}");
    }
}

#[test]
fn reads_a_file_with_its_caption() {
    use MessageType::{Audio, File, Image, Video};
    for (members, kind, text, name, mime_type) in [
        (
            json!({"type": "image", "image": {"id": "77", "mime_type": "image/jpeg", "caption": "My cat"}}),
            Image,
            Some("My cat"),
            None,
            Some("image/jpeg"),
        ),
        (json!({"type": "video", "video": {"id": "77"}}), Video, None, None, None),
        (
            json!({"type": "audio", "audio": {"id": "77", "mime_type": "audio/ogg; codecs=opus", "voice": true}}),
            Audio,
            None,
            None,
            Some("audio/ogg"),
        ),
        (json!({"type": "voice", "voice": {"id": "77"}}), Audio, None, None, None),
        (
            json!({"type": "document", "document": {"id": "77", "filename": "a/bill.pdf"}}),
            File,
            None,
            Some("bill.pdf"),
            None,
        ),
        (
            json!({"type": "sticker", "sticker": {"id": "77", "mime_type": "image/webp", "animated": true}}),
            Image,
            None,
            None,
            Some("image/webp"),
        ),
    ] {
        let expected = with(kind, text, &[attachment("provider:77", name, mime_type)]);
        assert_eq!(message(members.clone()).content, expected, "{members}");
    }
}

#[test]
fn shows_what_has_no_file_as_a_text() {
    for (members, expected) in [
        (json!({"type": "video", "video": {"id": "../me"}}), "[video]"),
        (json!({"type": "image", "image": {"caption": "My cat"}}), "[image] My cat"),
        (json!({"type": "document", "document": {"filename": "bill.pdf"}}), "[file] bill.pdf"),
        (json!({"type": "audio", "audio": {"voice": true}}), "[voice message]"),
        (json!({"type": "sticker"}), "[sticker]"),
        (
            json!({"type": "contacts", "contacts": [{"name": {"formatted_name": "Bo"}, "phones": [{"phone": "+4930"}]}]}),
            "[contact] Bo +4930",
        ),
        (json!({"type": "order", "order": {"text": "Soon"}}), "[order] Soon"),
        (json!({"type": "contacts", "contacts": []}), "[contact]"),
        (json!({"type": "hologram"}), "[unsupported message]"),
        (json!({"type": "unsupported", "errors": [{"code": 131_051}]}), "[unsupported message]"),
        (json!({"type": "location", "location": {"latitude": 500}}), "[unsupported message]"),
        (json!({"type": "text", "text": {"body": "a\u{0}b"}}), "ab"),
    ] {
        assert_eq!(message(members.clone()).content, Content::text(expected), "{members}");
    }
    let place = json!({"latitude": 52.5163, "longitude": 13.3777, "name": "Gate"});
    let content = message(json!({"type": "location", "location": place})).content;
    assert_eq!((content.kind, content.attachments[0].url.as_str()), (MessageType::Location, "geo:52.5163,13.3777"));
    assert_eq!(content.attachments[0].name.as_deref(), Some("Gate"));
}

#[test]
fn reads_batches_and_ignores_other_numbers() {
    let says = |id: &str| a_written(json!({"id": id, "type": "text", "text": {"body": id}}));
    let value = |ids: &[&str]| a_value(json!({"messages": ids.iter().map(|id| says(id)).collect::<Vec<_>>()}));
    let mut other = value(&["x1"]);
    other["metadata"]["phone_number_id"] = json!("999");
    let mut body = a_body(&[value(&["a1", "a2"]), other, value(&["a3"])]);
    let echo = json!({"field": "smb_message_echoes", "value": value(&["x2"])});
    let second = json!({"id": "102290", "changes": [echo, {"field": "messages", "value": value(&["a4"])}]});
    body["entry"].as_array_mut().unwrap().push(second);
    let ids: Vec<String> = parsed(&body)
        .into_iter()
        .map(|event| match event {
            InboundEvent::Message(message) => message.id,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(ids, ["a1", "a2", "a3", "a4"]);
}

#[test]
fn ignores_groups_reactions_and_system_messages() {
    for members in [
        json!({"group_id": "g", "type": "text", "text": {"body": "Hi"}}),
        json!({"type": "reaction", "reaction": {"message_id": "wamid.0", "emoji": "😀"}}),
        json!({"type": "reaction", "reaction": {"message_id": "wamid.0"}}),
        json!({"type": "edit", "edit": {"original_message_id": "wamid.0", "message": {"type": "text", "text": {"body": "x"}}}}),
        json!({"type": "revoke", "revoke": {"original_message_id": "wamid.0"}}),
        json!({"type": "system", "system": {"type": "user_changed_number"}}),
        json!({"id": "x".repeat(256), "type": "text", "text": {"body": "Hi"}}),
        json!({"id": "a\u{0}", "type": "text", "text": {"body": "Hi"}}),
    ] {
        assert_eq!(parsed(&a_body(&[a_value(json!({"messages": [a_written(members.clone())]}))])), [], "{members}");
    }
}

#[test]
fn reads_the_reports_on_messages() {
    let ours = MessageId::from_uuid(Uuid::from_u128(2)).to_string();
    let report = |status: &str, callback: &str| {
        let errors = json!([{"code": 131_049, "title": "Not delivered", "error_data": {"details": "A limit."}}]);
        let mut status = json!({"id": "wamid.7", "status": status, "timestamp": "1767225600"});
        if status["status"] == "failed" {
            status["errors"] = errors;
        }
        if !callback.is_empty() {
            status["biz_opaque_callback_data"] = json!(callback);
        }
        parsed(&a_body(&[a_value(json!({"statuses": [status]}))]))
    };
    let event = |name: &str, report: Report| {
        [InboundEvent::Status(StatusReport { provider_message_id: name.to_owned(), report })]
    };
    let limited = MessageError {
        code: "provider_limit".to_owned(),
        message: "WhatsApp reports the error 131049: A limit.".to_owned(),
    };
    let last = format!("{ours}:1/2");
    let sent = Report::Sent { provider_message_id: "wamid.7".to_owned() };
    assert_eq!(report("sent", &last), event(&ours, sent));
    assert_eq!(report("delivered", &last), event(&ours, Report::Delivered));
    assert_eq!(report("played", &last), event(&ours, Report::Read));
    assert_eq!(report("failed", &last), event(&ours, Report::Failed(limited.clone())));
    // The first part of a message is not the message.
    let first = format!("{ours}:0/2");
    assert_eq!(report("read", &first), []);
    assert_eq!(report("failed", &first), event(&ours, Report::Failed(limited)));
    let without_part = format!("{ours}:1");
    for other in ["", "order 7", "msg_1:0/1", without_part.as_str()] {
        assert_eq!(report("read", other), event("wamid.7", Report::Read), "{other}");
    }
    assert_eq!(report("read", &format!("{ours}:{}/0", usize::MAX)), []);
    assert_eq!(report("deleted", ""), []);
    let unnamed = json!({"id": "wamid.7", "status": "failed"});
    let [InboundEvent::Status(failed)] = &parsed(&a_body(&[a_value(json!({"statuses": [unnamed]}))]))[..] else {
        panic!("one report")
    };
    assert!(matches!(&failed.report, Report::Failed(error) if error.code == "provider_failed"), "{failed:?}");
}

#[test]
fn rejects_bodies_of_another_form() {
    let channel = a_channel("https://graph.facebook.com");
    let deep = "[".repeat(10_000);
    let status = json!({"id": "wamid.1", "status": "read"});
    let many = a_body(&[a_value(json!({"statuses": vec![status; 5_001]}))]).to_string();
    for body in ["", "{", "[]", "{}", r#"{"entry":{}}"#, deep.as_str(), many.as_str(), "\u{fffd}"] {
        let request = InboundRequest { body: body.as_bytes().to_vec(), ..InboundRequest::default() };
        let refused = connector().parse(&channel, &request);
        assert!(matches!(refused, Err(Refusal::Malformed { .. })), "{refused:?}");
    }
    assert_eq!(parsed(&json!({"entry": [1, {}, {"changes": [{}, {"value": 7}]}]})), []);
}

#[test]
fn accepts_the_largest_webhook_of_meta() {
    assert_eq!(WHATSAPP.inbound.map(|rule| rule.max_body), Some(3 * 1024 * 1024));
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

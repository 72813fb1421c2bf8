use serde_json::json;
use tidings_domain::channels::SegmentEncoding;
use tidings_domain::conversations::{
    Attachment, InboundMessage, MessageError, MessageType, QuickReply, Report, StatusReport,
};
use tidings_domain::ids::MessageId;
use uuid::Uuid;

use super::errors::{ErrorClass, KNOWN};
use super::signature::SIGNATURE_HEADER;
use super::*;
use crate::test_api::{Act, Call, TestApi};
use crate::test_channel::{NOW, assert_second_part_failed, channel_of, config_of, local_egress, message_to, sealer};

const SID: &str = "AC0123456789abcdef0123456789abcdef";
const SERVICE: &str = "MG0123456789abcdef0123456789abcdef";
const KEY: &str = "SK0123456789abcdef0123456789abcdef";
const TOKEN: &str = "5ecret-t0ken";
const NUMBER: &str = "+15005550006";
const ADA: &str = "+491711234567";
const PUBLIC: &str = "https://tidings.example";

fn connector() -> SmsConnector {
    let connector = SmsConnector::new(local_egress(), Arc::new(sealer()), PUBLIC);
    SmsConnector { bounds: Bounds { head: Duration::from_millis(300), ..BOUNDS }, ..connector }
}

fn a_channel(base_url: &str) -> Channel {
    let config = json!({"account_sid": SID, "from": NUMBER, "base_url": base_url});
    channel_of(SMS.kind, config, &json!({"auth_token": TOKEN, "echo_secret": "s3cret"}))
}

fn a_service_channel(base_url: &str) -> Channel {
    let config = json!({"account_sid": SID, "messaging_service_sid": SERVICE, "base_url": base_url});
    let key = json!({"sid": KEY, "secret": "key-s3cret"}).to_string();
    channel_of(SMS.kind, config, &json!({"auth_token": TOKEN, "api_key": key}))
}

fn a_message(base_url: &str, content: Content) -> Outbound {
    message_to(a_channel(base_url), ADA, content)
}

fn sent() -> Act {
    Act::Answer(201, json!({"sid": "SM1", "status": "queued", "error_code": null, "num_segments": "1"}))
}

fn error(status: u16, code: i64, message: &str) -> Act {
    Act::Answer(status, json!({"code": code, "message": message, "status": status}))
}

async fn answered(act: impl Fn() -> Act + Send + Sync + 'static) -> SendOutcome {
    let api = TestApi::start(move |_| act()).await;
    let outcome = connector().send(a_message(&api.url, Content::text("Hi"))).await;
    assert!(!format!("{outcome:?}").contains(TOKEN), "{outcome:?}");
    outcome
}

fn accepted(id: &str) -> SendOutcome {
    SendOutcome::Accepted { provider_message_id: Some(id.to_owned()) }
}

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

fn base64_of(text: &str) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(text)
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
    assert_eq!(connector().send(a_message(&api.url, Content::text(text.clone()))).await, accepted("SM1"));
    let calls = api.calls();
    let texts: Vec<&str> = calls.iter().filter_map(|call| call.member("Body")).collect();
    assert_eq!(texts.iter().map(|text| text.chars().count()).collect::<Vec<_>>(), [1_600, 1_600, 896]);
    assert_eq!(texts.concat(), text);
    let names = calls.iter().map(|call| call.member("StatusCallback").unwrap().contains("&parts=3#"));
    assert_eq!(names.collect::<Vec<_>>(), [true; 3]);
    assert!(calls[1].member("StatusCallback").unwrap().contains("&part=2&"));
}

#[tokio::test]
async fn never_repeats_parts_that_were_sent() {
    for (status, code, expected) in [
        (429, 20429, "unknown"),
        (500, 20500, "unknown"),
        (401, 20003, "unknown"),
        (400, 21211, "unreachable"),
        (400, 21610, "blocked"),
    ] {
        let act = move |call: &Call| match call.member("Body").unwrap().starts_with('1') {
            true => sent(),
            false => error(status, code, "No"),
        };
        let api = TestApi::start(act).await;
        let text = format!("1{}\n\n2", "x".repeat(1_598));
        let outcome = connector().send(a_message(&api.url, Content::text(text))).await;
        assert_second_part_failed(outcome, expected);
    }
}

#[tokio::test]
async fn each_error_code_has_its_outcome() {
    for (code, class, _) in KNOWN {
        let outcome = answered(move || error(400, code, "No")).await;
        let expected = match class {
            ErrorClass::Busy => matches!(outcome, SendOutcome::TryLater { after: None, .. }),
            ErrorClass::Channel => matches!(outcome, SendOutcome::ChannelFailed { after: None, .. }),
            ErrorClass::Unreachable => rejects(&outcome, "unreachable"),
            ErrorClass::Recipient => rejects(&outcome, "recipient_rejected"),
            ErrorClass::Message => rejects(&outcome, "message_rejected"),
            ErrorClass::OptedOut => matches!(outcome, SendOutcome::OptedOut { .. }),
        };
        assert!(expected, "{code}: {outcome:?}");
    }
}

fn rejects(outcome: &SendOutcome, expected: &str) -> bool {
    matches!(outcome, SendOutcome::Rejected { code, .. } if code == expected)
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
    assert!(matches!(outcome, SendOutcome::TryLater { after: None, .. }), "{outcome:?}");
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
    assert_eq!(message, "Twilio answered 400 (error 21999): Bad token (hidden).");
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
    // Several parts, an error and no list are no answer.
    let long = a_message(&api.url, Content::text("x".repeat(1_601)));
    assert_eq!(connector().look_up(&long, NOW).await, None);
    for act in [|| error(500, 20500, "Restart"), || Act::Answer(200, json!({}))] {
        let api = TestApi::start(move |_| act()).await;
        assert_eq!(connector().look_up(&a_message(&api.url, Content::text("Hi")), NOW).await, None);
    }
}

#[test]
fn counts_the_segments_of_all_parts() {
    let segments = |content: &Content| connector().segments(&a_channel(""), content).map(|it| (it.encoding, it.count));
    assert_eq!(segments(&Content::text("Hi")), Some((SegmentEncoding::Gsm7, 1)));
    assert_eq!(segments(&Content::text("x".repeat(1_601))), Some((SegmentEncoding::Gsm7, 11 + 1)));
    assert_eq!(segments(&Content::text("🦀")), Some((SegmentEncoding::Ucs2, 1)));
    let reply = QuickReply { title: "x".repeat(80), payload: None };
    let content = Content { quick_replies: vec![reply.clone(), reply], ..Content::text("Which?") };
    assert_eq!(segments(&content), Some((SegmentEncoding::Gsm7, 2)));
    assert_eq!(segments(&Content::of(MessageType::Template)), None);
}

fn attachment(url: &str, name: Option<&str>, mime_type: Option<&str>) -> Attachment {
    Attachment { url: url.to_owned(), name: name.map(str::to_owned), mime_type: mime_type.map(str::to_owned) }
}

fn with(kind: MessageType, text: Option<&str>, attachments: &[Attachment]) -> Content {
    Content { text: text.map(str::to_owned), attachments: attachments.to_vec(), ..Content::of(kind) }
}

/// A channel whose number can send files.
fn a_channel_with_files(base_url: &str) -> Channel {
    let config = json!({"account_sid": SID, "from": NUMBER, "base_url": base_url, "mms": true});
    channel_of(SMS.kind, config, &json!({"auth_token": TOKEN, "echo_secret": "s3cret"}))
}

#[test]
fn sends_attachments_as_links_without_mms() {
    let file = attachment("https://a.io/1.pdf", Some("Bill"), None);
    let content = with(MessageType::File, None, std::slice::from_ref(&file));
    for channel in [a_channel(""), a_service_channel("")] {
        assert_eq!(connector().plan(&channel, &content), [Content::text("Bill: https://a.io/1.pdf")]);
    }
    let files = [file, attachment("https://a.io/1.docx", None, None)];
    let planned = connector().plan(&a_channel_with_files(""), &with(MessageType::File, Some("Look"), &files));
    assert_eq!(planned, [with(MessageType::File, Some("Look\nhttps://a.io/1.docx"), &files[..1])]);
    let place = with(MessageType::Location, None, &[attachment("geo:52.5,13.25", None, None)]);
    let link = "https://www.openstreetmap.org/?mlat=52.5&mlon=13.25#map=17/52.5/13.25";
    assert_eq!(connector().plan(&a_channel_with_files(""), &place), [Content::text(link)]);
}

#[tokio::test]
async fn sends_files_where_numbers_receive_them() {
    let api = TestApi::start(|_| sent()).await;
    let images = ["https://a.io/1", "https://a.io/2"].map(|url| attachment(url, None, None));
    let reply = QuickReply { title: "Yes".to_owned(), payload: None };
    let content = Content { quick_replies: vec![reply], ..with(MessageType::Image, Some("Look"), &images) };
    let message = Outbound { channel: a_channel_with_files(&api.url), ..a_message("", content) };
    let american = Outbound { address: "+14155550123".to_owned(), ..message.clone() };
    assert_eq!(connector().send(american).await, accepted("SM1"));
    assert_eq!(connector().send(message).await, accepted("SM1"));
    let calls = api.calls();
    let files = |call: &Call| {
        let urls = call.form.iter().filter(|(name, _)| name == "MediaUrl").map(|(_, url)| url.clone());
        (call.member("Body").map(str::to_owned), urls.collect::<Vec<_>>())
    };
    let urls = vec!["https://a.io/1".to_owned(), "https://a.io/2".to_owned()];
    assert_eq!(files(&calls[0]), (Some("Look\n1. Yes".to_owned()), urls));
    let links = "Look\nhttps://a.io/1\nhttps://a.io/2\n1. Yes".to_owned();
    assert_eq!(files(&calls[1]), (Some(links), Vec::new()), "German numbers receive no files");
}

#[test]
fn a_long_text_follows_its_files() {
    let image = attachment("https://a.io/1", None, None);
    let text = "x".repeat(1_601);
    let content = with(MessageType::Image, Some(text.as_str()), std::slice::from_ref(&image));
    let channel = a_channel_with_files("");
    let planned = connector().plan(&channel, &content);
    let texts: Vec<Option<usize>> = planned.iter().map(|it| it.text.as_ref().map(String::len)).collect();
    assert_eq!(texts, [None, Some(1_600), Some(1)]);
    assert_eq!(planned[0].attachments, [image]);
    assert_eq!(connector().segments(&channel, &content), None, "files are not charged by segments");
}

#[tokio::test]
async fn fetches_a_file_and_gives_the_login_only_to_twilio() {
    let files = TestApi::start(|_| Act::File("image/jpeg", b"abc".to_vec())).await;
    let target = format!("{}/signed", files.url);
    let api = TestApi::start(move |_| Act::Redirect(target.clone())).await;
    let fetched = connector().fetch_media(&a_channel(&api.url), "MM2/ME3", 3).await;
    let expected = FetchedMedia { bytes: b"abc".to_vec(), mime_type: Some("image/jpeg".to_owned()), name: None };
    assert_eq!(fetched, Ok(expected));
    assert_eq!(api.lines(), [format!("GET /2010-04-01/Accounts/{SID}/Messages/MM2/Media/ME3")]);
    assert_eq!(api.calls()[0].authorization, format!("Basic {}", base64_of(&format!("{SID}:{TOKEN}"))));
    assert_eq!(files.calls()[0].authorization, "");
    assert_eq!(connector().fetch_media(&a_channel(&api.url), "MM2/ME3", 2).await, Err(FetchFailure::TooLarge));
}

#[tokio::test]
async fn a_file_that_is_not_loaded_is_gone_or_fetched_again() {
    for (status, is_gone) in [(404, true), (400, true), (401, false), (429, false), (503, false)] {
        let api = TestApi::start(move |_| error(status, 20404, TOKEN)).await;
        let failure = connector().fetch_media(&a_channel(&api.url), "MM2/ME3", 9).await.unwrap_err();
        assert_eq!(matches!(failure, FetchFailure::Gone(_)), is_gone, "{status}: {failure:?}");
        assert!(!format!("{failure:?}").contains(TOKEN), "{failure:?}");
    }
    let api = TestApi::start(|_| sent()).await;
    for reference in ["", "MM2", "MM2/../x", "MM2/ME3/x"] {
        let outcome = connector().fetch_media(&a_channel(&api.url), reference, 9).await;
        assert!(matches!(outcome, Err(FetchFailure::Gone(_))), "{reference}: {outcome:?}");
    }
    assert_eq!(api.calls().len(), 0);
}

#[tokio::test]
async fn stores_whether_the_number_sends_files() {
    for (capabilities, expected) in [
        (json!({"sms": true, "mms": true}), json!({"mms": true})),
        (json!({"sms": true, "mms": false}), json!({"mms": false})),
        (json!({}), json!({})),
    ] {
        let url = format!("{PUBLIC}/inbound/guess");
        let own = format!("{url}#rc=5&rp=all&ct=2000&rt=4000");
        let number = json!({"sid": "PN1", "phone_number": NUMBER, "sms_url": own, "capabilities": capabilities});
        let api = TestApi::start(move |call| match call.name().as_str() {
            "GET IncomingPhoneNumbers.json" => Act::Answer(200, json!({"incoming_phone_numbers": [number]})),
            _ => Act::Answer(200, json!({"status": "active"})),
        })
        .await;
        let reported = connector().connect(&a_channel(&api.url), &url).await.unwrap();
        assert_eq!(Value::Object(reported), expected);
    }
}

#[tokio::test]
async fn rejects_a_message_of_too_many_parts() {
    // Each paragraph is a bit too long to share a part with the next one.
    let text = vec!["x".repeat(801); 21].join("\n\n");
    let outcome = connector().send(a_message("http://127.0.0.1:9", Content::text(text))).await;
    assert!(rejects(&outcome, "too_long"), "{outcome:?}");
}

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

/// Returns a request with this form; the query names a message and a part.
fn a_request(query: &str, form: &[(&str, &str)]) -> InboundRequest {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let headers = vec![("content-type".to_owned(), "application/x-www-form-urlencoded; charset=UTF-8".to_owned())];
    let url = Some(format!("{PUBLIC}/inbound/guess?{query}"));
    InboundRequest { headers, query: query.to_owned(), url, body: body.into_bytes() }
}

fn parsed(channel: &Channel, query: &str, form: &[(&str, &str)]) -> Vec<InboundEvent> {
    connector().parse(channel, &a_request(query, form)).unwrap()
}

fn message(form: &[(&str, &str)]) -> InboundMessage {
    let whole = [&[("MessageSid", "SM5"), ("From", ADA), ("To", NUMBER)][..], form].concat();
    let events = parsed(&a_channel(""), "", &whole);
    let [InboundEvent::Message(message)] = &events[..] else { panic!("{events:?}") };
    InboundMessage::clone(message)
}

#[test]
fn verifies_the_signature_with_the_auth_token() {
    use ring::hmac;
    let connector = connector();
    let mut request = a_request("", &[("Body", "Hi")]);
    request.url = Some(format!("{PUBLIC}/inbound/guess"));
    assert!(!connector.is_signed(&request));
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, TOKEN.as_bytes());
    let tag = hmac::sign(&key, format!("{PUBLIC}/inbound/guessBodyHi").as_bytes());
    let signature = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, tag);
    request.headers.push((SIGNATURE_HEADER.to_owned(), signature));
    assert!(connector.is_signed(&request));
    assert_eq!(connector.verify(&a_channel(""), &request), Ok(()));
    request.body = b"Body=Ho".to_vec();
    assert_eq!(connector.verify(&a_channel(""), &request), Err(Unverified::Signature));
    let without = channel_of(SMS.kind, json!({"account_sid": SID, "from": NUMBER}), &json!({}));
    assert_eq!(connector.verify(&without, &request), Err(Unverified::Secret));
    request.headers[1].1 = "x".repeat(65);
    assert!(!connector.is_signed(&request));
}

#[test]
fn reads_a_text_and_its_sender() {
    let message = message(&[("Body", "Hi, Zoë 🦀 \n"), ("NumMedia", "0"), ("NewParameter", "")]);
    assert_eq!((message.id.as_str(), message.address.as_str()), ("SM5", ADA));
    assert_eq!(message.content, Content::text("Hi, Zoë 🦀"));
    assert_eq!(message.profile.phone.map(|it| it.to_string()).as_deref(), Some(ADA));
    assert_eq!(message.name, None);
}

#[test]
fn reads_files_with_their_text() {
    let url = |file: &str| format!("https://api.twilio.com/2010-04-01/Accounts/{SID}/Messages/MM2/Media/{file}");
    let (one, two) = (url("ME3"), url("ME4"));
    let first = [("NumMedia", "1"), ("MediaContentType0", "image/jpeg"), ("MediaUrl0", one.as_str())];
    let image = attachment("provider:MM2/ME3", None, Some("image/jpeg"));
    let looks = message(&[&first[..], &[("Body", "Look \n")]].concat()).content;
    assert_eq!(looks, with(MessageType::Image, Some("Look"), std::slice::from_ref(&image)));
    assert_eq!(message(&first).content, with(MessageType::Image, None, std::slice::from_ref(&image)));
    let both = |second: &str, url: &str| {
        let second = [("MediaContentType1", second), ("MediaUrl1", url)];
        message(&[&[("NumMedia", "2")][..], &first[1..], &second[..], &[("Body", "Look")]].concat()).content
    };
    let card = attachment("provider:MM2/ME4", None, Some("text/x-vcard"));
    assert_eq!(both("text/x-vcard", &two), with(MessageType::File, Some("Look"), &[image.clone(), card]));
    let other = both("video/mp4", "https://example.com/clip.mp4");
    assert_eq!(other, with(MessageType::Image, Some("[video] Look"), &[image]));
}

#[test]
fn shows_what_has_no_file_as_a_text() {
    let picture = [("NumMedia", "2"), ("MediaContentType0", "image/jpeg"), ("MediaContentType1", "text/x-vcard")];
    assert_eq!(message(&[&picture[..], &[("Body", "Look")]].concat()).content, Content::text("[picture] [file] Look"));
    assert_eq!(message(&picture).content, Content::text("[picture] [file]"));
    for (form, expected) in [
        (&[("Body", "")][..], "[unsupported message]"),
        (&[("Body", " \n")], "[unsupported message]"),
        (&[], "[unsupported message]"),
        (&[("Body", "a\0b")], "ab"),
        (&[("NumMedia", "99999999999999999999"), ("Body", "x")], "x"),
    ] {
        assert_eq!(message(form).content, Content::text(expected), "{form:?}");
    }
    let many = message(&[("NumMedia", "4000000000")]).content.text.unwrap();
    assert_eq!(many.matches("[file]").count(), 10);
    let long = "🦀".repeat(5_000);
    let long = message(&[("Body", long.as_str())]).content.text.unwrap();
    assert_eq!(long.chars().count(), 4_096);
}

#[test]
fn ignores_messages_to_other_senders() {
    let base = [("MessageSid", "SM5"), ("Body", "Hi")];
    let with = |more: &[(&'static str, &'static str)]| [&base[..], more].concat();
    for form in [
        with(&[("From", ADA), ("To", "+15005550007")]),
        with(&[("From", ADA)]),
        with(&[("To", NUMBER)]),
        with(&[("From", "whatsapp:+491711234567"), ("To", NUMBER)]),
        with(&[("From", "+49\n171"), ("To", NUMBER)]),
    ] {
        assert_eq!(parsed(&a_channel(""), "", &form), [], "{form:?}");
    }
    let service = a_service_channel("");
    for (form, count) in [
        (with(&[("From", ADA), ("To", "+15005550007"), ("MessagingServiceSid", SERVICE)]), 1),
        (with(&[("From", ADA), ("To", "+15005550007")]), 1),
        (with(&[("From", ADA), ("MessagingServiceSid", "MGffffffffffffffffffffffffffffffff")]), 0),
    ] {
        assert_eq!(parsed(&service, "", &form).len(), count, "{form:?}");
    }
}

#[test]
fn an_opt_out_at_twilio_is_one_here() {
    let form = [("MessageSid", "SM5"), ("From", ADA), ("To", NUMBER), ("Body", "HALT"), ("OptOutType", "STOP")];
    let events = parsed(&a_channel(""), "", &form);
    assert!(matches!(&events[..], [InboundEvent::OptOut(message)] if message.address == ADA), "{events:?}");
    let help = [("MessageSid", "SM5"), ("From", ADA), ("To", NUMBER), ("Body", "HELP"), ("OptOutType", "HELP")];
    assert!(matches!(&parsed(&a_channel(""), "", &help)[..], [InboundEvent::Message(_)]));
}

#[test]
fn each_status_has_its_report() {
    let id = MessageId::from_uuid(Uuid::from_u128(2)).to_string();
    let query = format!("message={id}&part=1&parts=1");
    let reported = |status: &str| {
        let events = parsed(&a_channel(""), &query, &[("MessageSid", "SM5"), ("MessageStatus", status), ("To", ADA)]);
        events.into_iter().next().map(|event| match event {
            InboundEvent::Status(StatusReport { provider_message_id, report }) => {
                assert_eq!(provider_message_id, id);
                report
            }
            InboundEvent::Message(_)
            | InboundEvent::OptOut(_)
            | InboundEvent::Automatic(_)
            | InboundEvent::Blocked(_)
            | InboundEvent::Complaint(_) => panic!("{event:?}"),
        })
    };
    assert_eq!(reported("delivered"), Some(Report::Delivered));
    assert_eq!(reported("read"), Some(Report::Read));
    for status in ["accepted", "scheduled", "queued", "sending", "sent", "partially_delivered"] {
        assert_eq!(reported(status), Some(Report::Sent { provider_message_id: "SM5".to_owned() }), "{status}");
    }
    for status in ["failed", "undelivered", "canceled"] {
        assert_eq!(reported(status), Some(Report::failed(format!("Twilio reported `{status}`."))));
    }
    assert_eq!(reported("evaporated"), None);
}

#[test]
fn a_report_without_our_message_names_the_one_of_twilio() {
    for query in ["", "message=nonsense", "message=", "x"] {
        let events = parsed(&a_channel(""), query, &[("MessageSid", "SM5"), ("MessageStatus", "delivered")]);
        let report = StatusReport { provider_message_id: "SM5".to_owned(), report: Report::Delivered };
        assert_eq!(events, [InboundEvent::Status(report)], "{query}");
    }
}

#[test]
fn only_the_last_part_is_delivered_and_any_part_can_fail() {
    let id = MessageId::from_uuid(Uuid::from_u128(2));
    let events = |part: usize, status: &str| {
        let form = [("MessageSid", "SM5"), ("MessageStatus", status), ("ErrorCode", "30005"), ("To", ADA)];
        parsed(&a_channel(""), &format!("message={id}&part={part}&parts=3"), &form)
    };
    assert_eq!(events(1, "delivered"), []);
    assert_eq!(events(2, "sent"), []);
    assert_eq!(events(3, "delivered").len(), 1);
    let [InboundEvent::Status(report)] = &events(1, "undelivered")[..] else { panic!("one report") };
    let message = "Twilio reported `undelivered` (error 30005): the number is unknown.".to_owned();
    assert_eq!(report.report, Report::Failed(MessageError { code: "unreachable".to_owned(), message }));
}

#[test]
fn each_known_code_has_its_report() {
    for (code, class, reason) in KNOWN {
        let number = code.to_string();
        let form = [("MessageSid", "SM5"), ("MessageStatus", "failed"), ("ErrorCode", number.as_str()), ("To", ADA)];
        let events = parsed(&a_channel(""), "", &form);
        let [InboundEvent::Status(StatusReport { report, .. })] = &events[..] else { panic!("{events:?}") };
        let (Report::Failed(error) | Report::OptedOut(error)) = report else { panic!("{report:?}") };
        assert_eq!(error.code, class.word());
        assert!(error.message.contains(reason) && error.message.contains(&number), "{error:?}");
        assert_eq!(matches!(report, Report::OptedOut(_)), class == ErrorClass::OptedOut, "{code}");
    }
}

#[test]
fn reads_json_and_rejects_other_bodies() {
    let channel = a_channel("");
    let of = |media_type: &str, body: &str| {
        let headers = vec![("content-type".to_owned(), media_type.to_owned())];
        let request = InboundRequest { headers, body: body.as_bytes().to_vec(), ..InboundRequest::default() };
        connector().parse(&channel, &request)
    };
    let body = json!({"MessageSid": "SM5", "From": ADA, "To": NUMBER, "Body": "Hi", "NumMedia": 0}).to_string();
    assert_eq!(of("application/json; charset=utf-8", &body).unwrap().len(), 1);
    let deep = format!(r#"{{"MessageSid": {}"#, "[".repeat(10_000));
    for (media_type, body) in [
        ("application/json", "{"),
        ("application/json", "[]"),
        ("application/json", deep.as_str()),
        ("application/json", r#"{"MessageSid": 5}"#),
        ("application/x-www-form-urlencoded", ""),
        ("application/x-www-form-urlencoded", "MessageSid=../1"),
        ("application/x-www-form-urlencoded", "Body=Hi"),
    ] {
        let refused = of(media_type, body);
        assert!(matches!(refused, Err(Refusal::Malformed { .. })), "{body}: {refused:?}");
    }
    let many = "a=1&".repeat(1_000);
    assert!(of("application/x-www-form-urlencoded", &many).is_err());
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

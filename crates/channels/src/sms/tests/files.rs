//! Files that are sent or fetched.

use super::*;

/// A channel whose number can send files.
fn a_channel_with_files(base_url: &str) -> Channel {
    let config = json!({"account_sid": SID, "from": NUMBER, "base_url": base_url, "mms": true});
    channel_of(SMS.kind, config, &json!({"auth_token": TOKEN, "echo_secret": "s3cret"}))
}

#[test]
fn supports_files_if_the_number_sends_them() {
    use MessageType::{Audio, File, Image, Text, Video};
    let types = |channel: &Channel| connector().capabilities(channel).types;
    assert_eq!(types(&a_channel("https://api.twilio.com")), [Text]);
    assert_eq!(types(&a_channel_with_files("https://api.twilio.com")), [Text, Image, Video, Audio, File]);
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
    assert_eq!(connector().segments(&planned), None, "files are not charged by segments");
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
    let api = TestApi::start(|_| Act::Redirect("http://10.0.0.1/file".to_owned())).await;
    let outcome = connector().fetch_media(&a_channel(&api.url), "MM2/ME3", 9).await;
    assert!(matches!(outcome, Err(FetchFailure::Gone(_))), "a private address is not called: {outcome:?}");
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

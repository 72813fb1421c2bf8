//! Messages that Twilio could not deliver.

use std::sync::Mutex;

use super::*;

/// A listed message of a contact at this second of 2026.
fn listed(id: &str, second: u32, body: &str) -> Value {
    json!({
        "sid": id, "from": ADA, "to": NUMBER, "body": body, "direction": "inbound", "status": "received",
        "num_media": "0", "messaging_service_sid": null, "date_created": date(second), "date_sent": date(second),
    })
}

fn date(second: u32) -> String {
    format!("Thu, 01 Jan 2026 00:{:02}:{:02} +0000", second / 60, second % 60)
}

fn page(messages: &[Value], next: Option<&str>) -> Act {
    let next = next.map(|token| format!("/2010-04-01/Accounts/other/Messages.json?To=x&Page=1&PageToken={token}"));
    Act::Answer(200, json!({"messages": messages, "next_page_uri": next}))
}

async fn received(channel: Channel, since: Timestamp) -> Option<Vec<(String, Content)>> {
    let messages = connector().received_since(&channel, since).await?;
    Some(messages.into_iter().map(|it| (it.id, it.content)).collect())
}

fn second(second: u64) -> Timestamp {
    NOW.plus(Duration::from_secs(second))
}

#[tokio::test]
async fn reads_all_pages_oldest_first() {
    let api = TestApi::start(|call| match call.path.contains("PageToken=PA2") {
        true => page(&[listed("SM1", 60, "One")], None),
        false => page(&[listed("SM3", 62, "Three"), listed("SM2", 61, "Two ")], Some("PA2")),
    })
    .await;
    let found = received(a_channel(&api.url), second(60)).await.unwrap();
    let texts = ["One", "Two", "Three"].map(Content::text);
    assert_eq!(found, ["SM1", "SM2", "SM3"].map(str::to_owned).into_iter().zip(texts).collect::<Vec<_>>());
    let root = format!("GET /2010-04-01/Accounts/{SID}/Messages.json");
    let first = format!("{root}?To=%2B15005550006&DateSent%3E=2026-01-01T00%3A01%3A00Z&PageSize=100");
    let lines: Vec<String> = api.calls().iter().map(Call::line).collect();
    assert_eq!(lines, [first.clone(), format!("{first}&Page=1&PageToken=PA2")]);
}

#[tokio::test]
async fn leaves_out_messages_that_no_contact_sent_since_then() {
    let with = |member: &str, value: Value| {
        let mut message = listed("SM9", 60, "No");
        message[member] = value;
        message
    };
    let messages = vec![
        listed("SM1", 56, "within the difference of the clocks"),
        listed("SM2", 54, "too old"),
        with("direction", json!("outbound-api")),
        with("to", json!("+15005550001")),
        with("from", json!("whatsapp:+4930")),
        with("sid", json!("SM/9")),
        with("date_sent", json!("yesterday")),
        json!("x"),
    ];
    let mut undated = with("date_sent", Value::Null);
    undated["date_created"] = Value::Null;
    let messages = [messages, vec![undated]].concat();
    let api = TestApi::start(move |_| page(&messages, None)).await;
    let found = received(a_channel(&api.url), second(60)).await.unwrap();
    // The time of creation counts if the other one is missing.
    let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["SM1", "SM9"]);
}

#[tokio::test]
async fn reads_at_most_ten_pages() {
    let api = TestApi::start(|_| page(&[listed("SM1", 60, "One")], Some("PA"))).await;
    assert_eq!(received(a_channel(&api.url), second(0)).await.map(|found| found.len()), Some(10));
    assert_eq!(api.calls().len(), 10);
}

#[tokio::test]
async fn reads_the_files_of_a_message() {
    let api = TestApi::start(|call| match call.name().as_str() {
        "GET Media.json" => Act::Answer(
            200,
            json!({"media_list": [
            {"sid": "ME3", "content_type": "image/jpeg"}, {"sid": "ME4", "content_type": "image/png"}]}),
        ),
        _ => {
            let mut message = listed("MM2", 60, "Look");
            message["num_media"] = json!("2");
            page(&[message], None)
        }
    })
    .await;
    let found = received(a_channel(&api.url), second(0)).await.unwrap();
    let files = [("ME3", "image/jpeg"), ("ME4", "image/png")]
        .map(|(id, kind)| attachment(&format!("provider:MM2/{id}"), None, Some(kind)));
    assert_eq!(found, [("MM2".to_owned(), super::with(MessageType::Image, Some("Look"), &files))]);
    let line = format!("GET /2010-04-01/Accounts/{SID}/Messages/MM2/Media.json?PageSize=10");
    assert_eq!(api.calls()[1].line(), line);
}

#[tokio::test]
async fn reads_the_messages_to_each_number_of_a_service() {
    let numbers = json!({"phone_numbers": [{"phone_number": NUMBER}, {"phone_number": "+15005550001"}]});
    let api = TestApi::start(move |call| match call.name().as_str() {
        "GET PhoneNumbers" => Act::Answer(200, numbers.clone()),
        _ if call.path.contains("To=%2B15005550001") => {
            let mut message = listed("SM1", 60, "One");
            (message["to"], message["messaging_service_sid"]) = (json!("+15005550001"), json!(SERVICE));
            page(&[message], None)
        }
        _ => page(&[listed("SM2", 61, "Two")], None),
    })
    .await;
    let found = received(a_service_channel(&api.url), second(0)).await.unwrap();
    let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["SM1", "SM2"], "in the order of their times");
    assert_eq!(api.calls()[0].path, format!("/v1/Services/{SERVICE}/PhoneNumbers?PageSize=20"));
}

#[tokio::test]
async fn an_error_is_no_answer() {
    for status in [401, 404, 500] {
        let api = TestApi::start(move |_| error(status, 20500, TOKEN)).await;
        assert_eq!(received(a_channel(&api.url), NOW).await, None, "{status}");
    }
    // The second page is missing.
    let is_first = Mutex::new(true);
    let api = TestApi::start(move |_| match std::mem::replace(&mut *is_first.lock().unwrap(), false) {
        true => page(&[listed("SM1", 60, "One")], Some("PA2")),
        false => error(503, 20503, "Busy"),
    })
    .await;
    assert_eq!(received(a_channel(&api.url), NOW).await, None);
}

//! An erasure leaves nothing of a contact of WhatsApp: neither names, captions, IDs and earlier texts nor errors of parts
//! and requests that were not understood.

use serde_json::{Value, json};

use super::{APP_SECRET, GraphApi, Line, NUMBER, PUBLIC, signature, text, written};
use crate::people::erased::{Marks, everything, until_erased};
use crate::support::{Server, Store};

pub async fn an_erasure_leaves_nothing_of_a_contact(store: Store) {
    let mut server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let mut marks = Marks::default();
    let (number, user, name) = (marks.phone(), format!("DE.{}", marks.next()), marks.next());
    let digits = number.trim_start_matches('+');
    let hear = async |id: &str, members: Value| {
        let mut value = written(NUMBER, id, &members);
        value["messages"][0]["from"] = json!(digits);
        value["messages"][0]["from_user_id"] = json!(user);
        value["contacts"] = json!([{"profile": {"name": name}, "wa_id": digits, "user_id": user}]);
        line.deliver(&[value]).await;
    };
    let document = json!({"id": "77", "filename": format!("{}.pdf", marks.next()), "caption": marks.next()});
    let referral = json!({"source_url": format!("https://fb.me/{}", marks.next()), "source_id": marks.next(),
                          "source_type": "ad", "headline": marks.next()});
    let first = format!("wamid.{}", marks.next());
    hear(&first, json!({"type": "document", "document": document, "referral": referral})).await;
    let edited = format!("wamid.{}", marks.next());
    hear(&edited, json!({"type": "text", "text": {"body": marks.next()}})).await;
    let message = json!({"type": "text", "text": {"body": marks.next()}});
    hear("wamid.e1", json!({"type": "edit", "edit": {"original_message_id": edited, "message": message}})).await;
    let place = json!({"latitude": 52.5, "longitude": 13.25, "name": marks.next()});
    hear("wamid.p1", json!({"type": "location", "location": place})).await;
    hear("wamid.b1", json!({"type": "button", "button": {"text": marks.next(), "payload": "yes"}})).await;
    let card = json!([{"name": {"formatted_name": marks.next()}, "phones": [{"phone": "+4930"}]}]);
    hear("wamid.c1", json!({"type": "contacts", "contacts": card})).await;
    let path = line.messages().await;
    line.client.until(&path, |list| list["data"][0]["attachments"][0]["status"] == "failed").await;
    let unknown = marks.next();
    let body = json!({"from": digits, "text": unknown}).to_string();
    assert_eq!(line.post(&body, Some(&signature(APP_SECRET, &body))).await.status, 200);
    assert_eq!(line.unparsed().await.len(), 1);

    // WhatsApp accepts the first of two parts, and rejects the second one with a sentence about the contact.
    {
        let mut meta = api.meta.lock().unwrap();
        meta.faults.push_back((200, json!({"messages": [{"id": format!("wamid.{}", marks.next())}]})));
        meta.faults.push_back((400, json!({"error": {"message": marks.next(), "code": 131_026}})));
    }
    let contacts = line.contacts().await;
    let [contact] = &contacts[..] else { panic!("{contacts:?}") };
    let contact = format!("/api/v1/contacts/{}", text(&contact["id"]));
    let long = json!({"type": "text", "text": format!("{} {}", marks.next(), "word ".repeat(300)),
                      "quick_replies": [{"title": marks.next()}]});
    let sent = line.client.post(&format!("{contact}/send-message"), &long).await.expect(202);
    let sent = format!("/api/v1/messages/{}", text(&sent["id"]));
    let failed = line.client.until(&sent, |it| it["status"] == "failed").await;
    assert_eq!(failed["error"]["part"], 1, "{failed}");

    let all = everything(&server).await;
    assert_eq!(marks.missing_in(&all), Vec::<&String>::new(), "not stored before the erasure");
    let kept = line.client.get(&format!("{contact}/export")).await.expect(200).to_string();
    assert_eq!(marks.missing_in(&kept), [&unknown], "only the request that was not understood is not exported");
    line.client.post(&format!("{contact}/erase"), &json!({})).await.expect(202);
    until_erased(&line.client, &format!("{contact}/erase")).await;
    assert_eq!(line.unparsed().await, Vec::<Value>::new());
    let left = line.client.get(&format!("{contact}/export")).await.expect(200).to_string();
    assert!(marks.found_in(&left).is_empty() && !left.contains(digits), "{left}");
    server.terminate();
    assert!(server.wait(), "the server exits successfully");
    for (place, text) in [("store", everything(&server).await), ("log", server.log())] {
        let left = marks.found_in(&text);
        assert!(left.is_empty() && !text.contains(digits), "the {place} contains {left:?} or {digits}");
    }
}

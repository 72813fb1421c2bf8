//! The signatures of requests, and the contacts of accepted messages.

use serde_json::{Value, json};

use super::{ADA, Line, NUMBER, OTHER, PUBLIC, TOKEN, Twilio, a_channel, sign, written};
use crate::support::{Server, Store};

pub(super) async fn only_signed_requests_are_accepted(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    let form = written("SM1", "Hello");
    let right = sign(TOKEN, &line.inbound, &form);
    let wrong = [sign("other", &line.inbound, &form), sign(TOKEN, "/inbound/other", &form), "x".repeat(1_000)];
    let refused = [None, Some(""), Some("wrong")].into_iter().chain(wrong.iter().map(|it| Some(it.as_str())));
    for signature in refused {
        let refused = line.calls(&line.inbound, &form, signature).await;
        assert_eq!((refused.status, refused.code().as_str()), (401, "invalid_signature"), "{signature:?}");
    }
    let changed = line.calls(&line.inbound, &written("SM1", "Hallo"), Some(&right)).await;
    assert_eq!(changed.status, 401);
    let moved = line.calls(&format!("{}?message=x", line.inbound), &form, Some(&right)).await;
    assert_eq!(moved.status, 401);
    let elsewhere = "/inbound/2Yxq0PqLkZ0m8mF9eUuB3VJr7sT1wXyZaAbBcCdDeEf";
    assert_eq!(line.calls(elsewhere, &form, Some(&sign(TOKEN, elsewhere, &form))).await.status, 404);
    let no_id = [("Body", "Hello")];
    let kept = line.calls(&line.inbound, &no_id, Some(&sign(TOKEN, &line.inbound, &no_id))).await;
    assert_eq!(kept.status, 200, "a signed request that is not understood is kept: {}", kept.text);
    assert_eq!(line.unparsed().await.len(), 1);
    let to_other: Vec<_> =
        form.iter().map(|(name, value)| (*name, if *name == "To" { OTHER } else { *value })).collect();
    line.signed(&line.inbound, &to_other).await;
    assert_eq!(line.client.get("/api/v1/contacts").await.expect(200)["data"], json!([]));

    let known = json!({"phone": ADA, "first_name": "Ada"});
    let known = line.client.post("/api/v1/contacts", &known).await.expect(201);
    futures::join!(line.says("SM1", "Hello"), line.says("SM1", "Hello"));
    line.says("SM1", "Hello").await;
    let list = line.client.get(&line.messages().await).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
    let contact = line.only_contact().await;
    assert_eq!(contact["id"], known["id"], "the phone number identifies the contact");
    let on_channel = |it: &&Value| it["channel_id"] == line.channel.as_str();
    let identity = contact["identities"].as_array().unwrap().iter().find(on_channel).unwrap();
    assert_eq!(identity["address"], ADA);

    let stranger = [
        ("MessageSid", "SM2"),
        ("From", "+4930901820"),
        ("To", NUMBER),
        ("Body", "Look"),
        ("NumMedia", "1"),
        ("MediaContentType0", "image/png"),
        ("MediaUrl0", "https://api.twilio.com/x"),
    ];
    line.signed(&line.inbound, &stranger).await;
    let list = line.client.get("/api/v1/contacts?phone=%2B4930901820").await.expect(200);
    assert_eq!(list["data"][0]["phone"], "+4930901820", "{list}");
}

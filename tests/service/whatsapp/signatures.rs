//! The signatures of requests, and the contacts of accepted messages.

use serde_json::{Value, json};

use super::{APP_SECRET, GraphApi, Line, NUMBER, PUBLIC, TOKEN, signature, written};
use crate::support::{Server, Store};

pub(super) async fn only_signed_requests_are_accepted(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let value = written(NUMBER, "wamid.a", &json!({"type": "text", "text": {"body": "Hello"}}));
    let body = json!({"entry": [{"changes": [{"field": "messages", "value": value}]}]}).to_string();
    let (other, right) = (signature(TOKEN, &body), signature(APP_SECRET, &body));
    let written_again = format!("{body} ");
    for (body, signature) in [
        (&body, None),
        (&body, Some("")),
        (&body, Some("sha256=00")),
        (&body, Some(other.as_str())),
        (&written_again, Some(right.as_str())),
    ] {
        let refused = line.post(body, signature).await;
        assert_eq!((refused.status, refused.code().as_str()), (401, "invalid_signature"), "{signature:?}");
    }
    assert_eq!(line.contacts().await, Vec::<Value>::new());
    let nonsense = "{}";
    let kept = line.post(nonsense, Some(&signature(APP_SECRET, nonsense))).await;
    assert_eq!(kept.status, 200, "a signed request that is not understood is kept: {}", kept.text);
    assert_eq!(line.unparsed().await.len(), 1);

    // One request has messages of two numbers; another repeats one of them.
    let of = |number: &str, id: &str| written(number, id, &json!({"type": "text", "text": {"body": id}}));
    line.deliver(&[of(NUMBER, "wamid.1"), of("999", "wamid.9"), of(NUMBER, "wamid.2")]).await;
    let (one, two) = ([of(NUMBER, "wamid.2"), of(NUMBER, "wamid.3")], [of(NUMBER, "wamid.3")]);
    futures::join!(line.deliver(&one), line.deliver(&two));
    let list = line.client.get(&line.messages().await).await.expect(200);
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["wamid.1", "wamid.2", "wamid.3"]);
    let contacts = line.contacts().await;
    let [contact] = &contacts[..] else { panic!("{contacts:?}") };
    assert_eq!((&contact["first_name"], &contact["phone"]), (&json!("Ada"), &json!("+5491123456789")));
    let identity = json!({
        "channel_id": line.channel, "address": "5491123456789", "aliases": ["AR.1349"], "opted_in": true,
        "opt_out": null, "undeliverable_since": null});
    assert_eq!(contact["identities"], json!([identity]));

    // The same contact without the number, and with the number in its other spelling.
    let hidden = json!({"from": null, "id": "wamid.4", "type": "text", "text": {"body": "Hi"}});
    let mut value = written(NUMBER, "wamid.4", &hidden);
    value["contacts"][0]["wa_id"] = Value::Null;
    let other = json!({"from": "541123456789", "from_user_id": null, "type": "text", "text": {"body": "Hi"}});
    let mut other = written(NUMBER, "wamid.5", &other);
    other["contacts"] = json!([]);
    line.deliver(&[value, other]).await;
    assert_eq!(line.contacts().await.len(), 1);

    // A new number becomes the address of the contact.
    let system = json!({
        "type": "user_changed_number", "wa_id": "5491123450000", "user_id": "AR.77", "previous_user_id": "AR.1349"});
    let renumbered = written(NUMBER, "wamid.6", &json!({"type": "system", "system": system}));
    line.deliver(&[renumbered.clone(), renumbered]).await;
    let contacts = line.contacts().await;
    let [contact] = &contacts[..] else { panic!("{contacts:?}") };
    let aliases = ["5491123456789", "AR.1349", "AR.77"];
    let identity = json!({
        "channel_id": line.channel, "address": "5491123450000", "aliases": aliases, "opted_in": true,
        "opt_out": null, "undeliverable_since": null});
    assert_eq!(contact["identities"], json!([identity]));
}

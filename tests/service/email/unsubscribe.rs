//! Opting out by the link in a mail.

use serde_json::{Value, json};

use super::{Line, MailServer, SETTINGS, text, written};
use crate::support::{Server, Store};

/// The mail of a flow contains a link (RFC 8058). Opening it changes nothing, and one click opts out.
pub(super) async fn one_click_opts_out(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    assert_eq!(line.arrives(&written("m1", "Hello", "Hi")).await.status, 200);
    let contact = format!("/api/v1/contacts/{}", text(&line.contacts().await[0]["id"]));
    let flow = json!({"name": "Offer", "definition": {"start": "say", "nodes": [
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "Offer"}, "next": "end"},
        {"id": "end", "type": "end"}]}});
    let flow = line.client.create("/api/v1/flows", &flow).await;
    line.client.post(&format!("/api/v1/flows/{flow}/publish"), &json!({})).await.expect(200);
    line.client.post(&format!("{contact}/start-flow"), &json!({"flow_id": flow})).await.expect(202);
    let received = mail.received(1).await.remove(0).replace('\r', "").replace("\n ", " ");
    let value =
        |name: &str| received.lines().find_map(|line| line.strip_prefix(name)).map(str::trim).unwrap_or_default();
    assert_eq!(value("List-Unsubscribe-Post:"), "List-Unsubscribe=One-Click", "{received}");
    let links: Vec<&str> = value("List-Unsubscribe:").split(", ").collect();
    let path = links[0].strip_prefix("<https://tidings.example").and_then(|it| it.strip_suffix('>')).unwrap();
    assert_eq!(links[1..], ["<mailto:hello@shop.example?subject=unsubscribe>"]);

    let opted_in = async || line.contacts().await[0]["identities"][0]["opted_in"].clone();
    let german = [("accept-language", "de-DE, en;q=0.5")];
    let page = line.nobody.send("GET", path, &german, None).await.unwrap();
    assert_eq!(page.status, 200);
    assert!(page.text.contains("<button>Abmelden</button>"), "{}", page.text);
    assert_eq!(opted_in().await, true, "a mail server opens links to check them");
    let form = [("content-type", "application/x-www-form-urlencoded")];
    for _ in 0..2 {
        let body = b"List-Unsubscribe=One-Click".to_vec();
        let done = line.nobody.send("POST", path, &form, Some(body)).await.unwrap();
        assert_eq!(done.status, 200, "{}", done.text);
        assert_eq!(opted_in().await, false);
    }
    let feed = "/api/v1/events?types=contact.unsubscribed";
    let list = line.client.until(feed, |it| it["data"][0].is_object()).await;
    let sources: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["data"]["source"]).collect();
    assert_eq!(sources, ["link"], "{list}");
    let changed = format!("{path}x");
    assert_eq!(line.nobody.send("POST", &changed, &form, None).await.unwrap().status, 404);
    let suppressed = line.send_until("suppressed").await;
    assert_eq!(suppressed["error"]["code"], "unsubscribed", "{suppressed}");
}

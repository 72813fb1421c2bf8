//! The secret of requests, and the contacts of accepted messages.

use serde_json::json;

use super::{BotApi, Line, OTHER, PUBLIC, SECRET, TOKEN, ada, chat, text, written};
use crate::support::{Server, Store};

pub(super) async fn only_requests_with_the_secret_are_accepted(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let (line, other) = (Line::open(&server, &api, TOKEN).await, Line::open(&server, &api, OTHER).await);
    assert_ne!(line.secret, other.secret);
    for secret in [None, Some(""), Some("wrong"), Some(other.secret.as_str()), Some(TOKEN)] {
        let refused = line.update_with(&written(1, "Hello"), secret).await;
        assert_eq!((refused.status, refused.code().as_str()), (401, "invalid_signature"), "{secret:?}");
    }
    let headers = [("content-type", "application/json"), (SECRET, line.secret.as_str())];
    let body = Some(written(1, "Hello").to_string().into_bytes());
    let elsewhere = "/inbound/2Yxq0PqLkZ0m8mF9eUuB3VJr7sT1wXyZaAbBcCdDeEf";
    assert_eq!(line.nobody.send("POST", elsewhere, &headers, body).await.unwrap().status, 404);
    // A signed request that is not understood is kept for admins, and Telegram does not repeat it.
    let unknown = json!({"message": {}, "access_token": "a-token-of-nobody", "text": line.secret});
    let reply = line.update(&unknown).await;
    assert_eq!((reply.status, reply.text.as_str()), (200, ""));
    let unparsed = format!("{}/unparsed", line.path());
    let list = line.client.get(&format!("{unparsed}?include=total")).await.expect(200);
    assert_eq!((&list["total"], &list["total_is_capped"]), (&json!(1), &json!(false)));
    let [kept] = list["data"].as_array().unwrap().as_slice() else { panic!("expected one request: {list}") };
    assert_eq!(kept["reason"], "the body has no `update_id`");
    assert_eq!(kept["size"], unknown.to_string().len());
    let excerpt = text(&kept["excerpt"]);
    assert!(excerpt.contains("\"message\":{}"), "{excerpt}");
    assert!(!excerpt.contains("a-token-of-nobody") && !excerpt.contains(&line.secret), "{excerpt}");
    let writer = line.client.with_key(Some(&server.new_key(&server.workspace, "write")));
    assert_eq!(writer.get(&unparsed).await.code(), "insufficient_scope");
    assert_eq!(line.client.get(&format!("{}/unparsed", other.path())).await.expect(200)["data"], json!([]));
    let group = json!({"id": -7, "type": "group"});
    let ignored = json!({"update_id": 2, "message": {"chat": group, "from": ada(), "text": "Hello"}});
    assert_eq!(line.update(&ignored).await.status, 200);
    assert_eq!(line.client.get("/api/v1/contacts").await.expect(200)["data"], json!([]));

    let (one, two) = (written(3, "Hello"), written(3, "Hello"));
    let (one, two) = futures::join!(line.update(&one), line.update(&two));
    assert_eq!((one.status, two.status), (200, 200), "{} {}", one.text, two.text);
    line.says(3, "Hello").await;
    let list = line.client.get(&line.messages().await).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
    let contact = line.only_contact().await;
    let names = [&contact["first_name"], &contact["last_name"], &contact["locale"]];
    assert_eq!(names, [&json!("Ada"), &json!("King"), &json!("de")]);
    assert_eq!(contact["identities"][0]["address"], "42");

    // Cleared attributes are filled again; others stay.
    let path = format!("/api/v1/contacts/{}", text(&contact["id"]));
    let cleared = json!({"first_name": "Augusta", "last_name": null});
    line.client.call("PATCH", &path, Some(&cleared)).await.expect(200);
    let photo = json!({"update_id": 4, "message": {"chat": chat(), "from": ada(), "photo": [{}], "caption": "My cat"}});
    assert_eq!(line.update(&photo).await.status, 200);
    let contact = line.only_contact().await;
    assert_eq!((&contact["first_name"], &contact["last_name"]), (&json!("Augusta"), &json!("King")));
    let list = line.client.get(&line.messages().await).await.expect(200);
    assert_eq!(list["data"][1]["text"], "[photo] My cat");
}

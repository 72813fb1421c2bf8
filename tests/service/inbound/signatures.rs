//! Requests without a valid signature are rejected, and limited. A replaced secret is accepted for some time.

use serde_json::json;

use super::{Conduct, Line, Provider, now, signature};
use crate::support::{Server, Store};

pub(super) async fn rejects_unsigned_messages_and_stores_nothing(store: Store) {
    let server = Server::start(store, &[("TIDINGS__LIMITS__INBOUND", "4")]);
    let line = Line::open(&server, &Provider::start(Conduct::Takes).await).await;
    let body = json!({"type": "message", "id": "m1", "from": {"address": "+4930"}, "text": "Hello"});
    let bytes = body.to_string().into_bytes();
    let timestamp = now().to_string();
    let right = signature(&line.secret, "in-1", &timestamp, &bytes);
    let other = signature("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "in-1", &timestamp, &bytes);
    let tampered = [&bytes[..bytes.len() - 1], b" }"].concat();
    for reply in [
        line.raw(&bytes, &timestamp, &other).await,
        line.raw(&tampered, &timestamp, &right).await,
        line.raw(&bytes, &(now() + 1).to_string(), &right).await,
        line.raw(&bytes, &timestamp, "v1,AAAA").await,
        line.signed(&body, 301).await,
        // In the future. A few seconds pass until it arrives.
        line.signed(&body, -360).await,
        line.nobody.post(&line.inbound, &body).await,
    ] {
        assert_eq!((reply.status, reply.code().as_str()), (401, "invalid_signature"), "{}", reply.text);
    }
    assert_eq!(line.client.get("/api/v1/contacts").await.expect(200)["data"], json!([]));
    // Signed, but invalid.
    let wrong = line.signed(&json!({"type": "message", "id": "", "text": 1, "zzz": 1}), 0).await;
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    let large = line.signed(&json!({"type": "message", "text": "x".repeat(3 * 1024 * 1024)}), 0).await;
    assert_eq!(large.status, 413);
    let elsewhere = line.nobody.post("/inbound/2Yxq0PqLkZ0m8mF9eUuB3VJr7sT1wXyZaAbBcCdDeEf", &body).await;
    assert_eq!(elsewhere.status, 404);
    assert_eq!(line.client.get("/api/v1/contacts").await.expect(200)["data"], json!([]));
    // Without a valid signature, a stranger uses up only the limit of such requests.
    let mut refused = line.nobody.post(&line.inbound, &body).await;
    for _ in 0..120 {
        refused = line.nobody.post(&line.inbound, &body).await;
    }
    assert_eq!((refused.status, refused.code().as_str()), (429, "rate_limited"));
    line.says("m1", "+4930", "Hello").await.expect(202);
    for _ in 0..2 {
        line.says("m1", "+4930", "Hello").await;
    }
    let reply = line.says("m2", "+4930", "Hello").await;
    assert_eq!((reply.status, reply.code().as_str()), (429, "rate_limited"));
    assert!(reply.header("retry-after").is_some());
}

pub(super) async fn accepts_a_replaced_secret_until_its_overlap_ends(store: Store) {
    let server = Server::start(store, &[]);
    let mut provider = Provider::start(Conduct::Takes).await;
    let mut line = Line::open(&server, &provider).await;
    let rotate = format!("/api/v1/channels/{}/rotate-secret", line.channel);
    let rotated = line.client.post(&rotate, &json!({"overlap": "PT1H"})).await.expect(200);
    line.says("m1", "+4930", "Hello").await.expect(202);
    let old = std::mem::replace(&mut line.secret, rotated["secret"].as_str().unwrap().to_owned());
    assert_ne!(line.secret, old);
    line.says("m2", "+4930", "Hello").await.expect(202);
    let conversation = line.only_conversation().await;
    let reply = json!({"type": "text", "text": "Hi"});
    let messages = format!("/api/v1/conversations/{}/messages", conversation["id"].as_str().unwrap());
    line.client.post(&messages, &reply).await.expect(202);
    let got = provider.next().await;
    let header = |name: &str| got.headers[name].as_str();
    let expected = signature(&line.secret, header("webhook-id"), header("webhook-timestamp"), &got.body);
    assert_eq!(header("webhook-signature"), expected, "the new secret signs at once");
    line.client.post(&rotate, &json!({"overlap": "PT0S"})).await.expect(200);
    assert_eq!(line.says("m3", "+4930", "Hello").await.status, 401);
    line.secret = old;
    assert_eq!(line.says("m3", "+4930", "Hello").await.status, 401);
    let shown = line.client.get(&format!("/api/v1/channels/{}", line.channel)).await.expect(200);
    assert!(shown.get("secret").is_none(), "{shown}");
}

//! Mail by each type of relay, with its signature.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};

use super::{Line, MailServer, SETTINGS, now, signature, written};
use crate::support::{Reply, Server, Store};

const KEY: &str = "key-0123456789abcdef0123456789abcdef";

pub(super) async fn mail_arrives_by_each_relay(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    let hello = |id: &str| written(id, "Hello", "Hi");
    let rejected = async |reply: Reply, what: &str| {
        assert_eq!((reply.status, reply.code().as_str()), (401, "invalid_signature"), "{what}: {}", reply.text);
    };
    rejected(line.post("message/rfc822", &[], hello("a").as_bytes()).await, "unsigned").await;
    let other = signature("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", hello("a").as_bytes());
    let other: Vec<(&str, &str)> = other.iter().map(|(name, value)| (*name, value.as_str())).collect();
    rejected(line.post("message/rfc822", &other, hello("a").as_bytes()).await, "another secret").await;
    assert_eq!(line.post("image/png", &other, b"x").await.status, 415);
    assert_eq!(line.arrives("no mail").await.status, 200, "a signed request that is not understood is kept");
    assert_eq!(line.unparsed().await.len(), 1);
    assert_eq!(line.contacts().await, Vec::<Value>::new());

    let patch = async |body: Value| line.client.call("PATCH", &line.path, Some(&body)).await.expect(200);
    patch(json!({"config": {"inbound": {"auth": "basic"}}, "secrets": {"inbound_secret": KEY}})).await;
    let basic = format!("Basic {}", STANDARD.encode(format!("relay:{KEY}")));
    let wrong = format!("Basic {}", STANDARD.encode("relay:wrong"));
    rejected(
        line.post("message/rfc822", &[("authorization", wrong.as_str())], hello("a").as_bytes()).await,
        "password",
    )
    .await;
    let allowed = [("authorization", basic.as_str())];
    assert_eq!(line.post("message/rfc822", &allowed, hello("b").as_bytes()).await.status, 200);
    let postmark = json!({"RawEmail": hello("c"), "OriginalRecipient": "hello@shop.example"}).to_string();
    assert_eq!(line.post("application/json", &allowed, postmark.as_bytes()).await.status, 200);
    let sendgrid = format!(
        "--b\r\nContent-Disposition: form-data; name=\"envelope\"\r\n\r\n{{}}\r\n--b\r\n\
         Content-Disposition: form-data; name=\"email\"\r\n\r\n{}\r\n--b--\r\n",
        hello("d")
    );
    assert_eq!(line.post("multipart/form-data; boundary=b", &allowed, sendgrid.as_bytes()).await.status, 200);

    patch(json!({"config": {"inbound": {"auth": "mailgun"}}})).await;
    let mailgun = |at: u64, key: &str| {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes()), format!("{at}t").as_bytes());
        let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        let encode = |mail: String| mail.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
        format!("timestamp={at}&token=t&signature={hex}&body-mime={}", encode(hello("e")))
    };
    let form = "application/x-www-form-urlencoded";
    for (body, what) in [(mailgun(now(), "other"), "another key"), (mailgun(now() - 900, KEY), "an old signature")] {
        rejected(line.post(form, &[], body.as_bytes()).await, what).await;
    }
    assert_eq!(line.post(form, &[], mailgun(now(), KEY).as_bytes()).await.status, 200);
    let list = line.client.get(&line.messages().await).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 4, "{list}");
}

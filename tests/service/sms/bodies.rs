//! Forms at the size limit, JSON bodies, and bodies that contain no message.

use ring::digest;
use serde_json::{Value, json};

use super::{ADA, Line, NUMBER, PUBLIC, SID, TOKEN, Twilio, a_channel, sign, written};
use crate::support::bodies::{LARGEST, without_message};
use crate::support::{Reply, Server, Store};

/// Posts a JSON body. Twilio signs the hash of the body, which is in the URL.
async fn post_json(line: &Line, body: &[u8]) -> Reply {
    let hash = digest::digest(&digest::SHA256, body);
    let hash: String = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let path = format!("{}?bodySHA256={hash}", line.inbound);
    let signature = sign(TOKEN, &path, &[]);
    let headers = [("content-type", "application/json"), ("x-twilio-signature", signature.as_str())];
    line.nobody.send("POST", &path, &headers, Some(body.to_vec())).await.unwrap()
}

pub async fn bodies_are_read_up_to_their_limit(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    // Twilio adds parameters without notice. One of them fills the form, and `base` is more than the others need.
    let base = 2 * written("SM1", "large").iter().map(|(name, value)| name.len() + value.len() + 2).sum::<usize>();
    for (id, length, expected) in [("SM1", LARGEST - base, 200), ("SM2", LARGEST + 1, 413)] {
        let filler = "x".repeat(length);
        let mut form = written(id, "large");
        form.push(("Filler", filler.as_str()));
        let reply = line.calls(&line.inbound, &form, Some(&sign(TOKEN, &line.inbound, &form))).await;
        assert_eq!(reply.status, expected, "{length} bytes: {}", reply.text);
    }
    // A name that occurs twice, and an empty value.
    let mut repeated = written("SM3", "repeated");
    repeated.extend([("Body", "first"), ("Body", "first"), ("Empty", "")]);
    // Twilio signs each value of a name once.
    let mut signed = repeated.clone();
    signed.sort_unstable();
    signed.dedup();
    let reply = line.calls(&line.inbound, &repeated, Some(&sign(TOKEN, &line.inbound, &signed))).await;
    assert_eq!((reply.status, reply.text.as_str()), (200, "<Response/>"));

    let body = json!({"MessageSid": "SM4", "AccountSid": SID, "From": ADA, "To": NUMBER, "Body": "Café 👍🏽"});
    assert_eq!(post_json(&line, body.to_string().as_bytes()).await.status, 200);
    for body in without_message() {
        let reply = post_json(&line, &body).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, "<Response/>"), "{} bytes", body.len());
    }
    assert_eq!(line.unparsed().await.len(), without_message().len());
    line.says("SM5", "Still here").await;
    let list = line.client.get(&line.messages().await).await.expect(200);
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["large", "repeated", "Café 👍🏽", "Still here"]);
}

//! Updates at the size limit, and bodies that contain no update.

use serde_json::Value;

use super::{BotApi, Line, PUBLIC, TOKEN, written};
use crate::support::bodies::{LARGEST, padded, without_message};
use crate::support::{Server, Store};

pub async fn bodies_are_read_up_to_their_limit(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    for (id, length, expected) in [(1, LARGEST - 1, 200), (2, LARGEST, 200), (3, LARGEST + 1, 413)] {
        let body = padded(&written(id, &format!("large {id}")).to_string(), length);
        let reply = line.post(body, Some(&line.secret)).await;
        assert_eq!(reply.status, expected, "{length} bytes: {}", reply.text);
    }
    for body in without_message() {
        let length = body.len();
        let reply = line.post(body, Some(&line.secret)).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, ""), "{length} bytes");
    }
    let kept = line.client.get(&format!("{}/unparsed", line.path())).await.expect(200);
    assert_eq!(kept["data"].as_array().unwrap().len(), without_message().len(), "{kept}");
    line.says(4, "Still here").await;
    let list = line.client.get(&line.messages().await).await.expect(200);
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["large 1", "large 2", "Still here"]);
}

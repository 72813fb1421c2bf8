//! Bodies as Meta writes them, bodies at the size limit, and bodies that contain no message.

use serde_json::{Value, json};

use super::{ACCOUNT, APP_SECRET, GraphApi, Line, NUMBER, PUBLIC, signature, written};
use crate::support::bodies::{LARGEST, padded, without_message};
use crate::support::{Reply, Server, Store};

/// Writes JSON as Meta does: slashes and all characters beyond ASCII are escaped.
fn escaped(json: &str) -> String {
    let escape = |character: char| match character {
        '/' => "\\/".to_owned(),
        character if character.is_ascii() => character.to_string(),
        character => character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    };
    json.chars().map(escape).collect()
}

fn body_of(id: &str, words: &str) -> String {
    let value = written(NUMBER, id, &json!({"type": "text", "text": {"body": words}}));
    let entry = json!([{"id": ACCOUNT, "changes": [{"field": "messages", "value": value}]}]);
    json!({"object": "whatsapp_business_account", "entry": entry}).to_string()
}

async fn deliver(line: &Line, body: impl AsRef<[u8]>) -> Reply {
    let signature = signature(APP_SECRET, &body);
    line.post(body, Some(&signature)).await
}

pub async fn bodies_are_read_up_to_their_limit(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let words = "Café / 👍🏽";
    let body = escaped(&body_of("wamid.1", words));
    assert!(body.contains("Caf\\u00e9 \\/ \\ud83d\\udc4d"), "{body}");
    assert_eq!(deliver(&line, &body).await.status, 200);
    // Another text with the same meaning has another signature.
    let plain = line.post(body_of("wamid.1", words), Some(&signature(APP_SECRET, &body))).await;
    assert_eq!(plain.status, 401, "{}", plain.text);

    for (number, (length, expected)) in [(LARGEST - 1, 200), (LARGEST, 200), (LARGEST + 1, 413)].into_iter().enumerate()
    {
        let body = padded(&body_of(&format!("wamid.large{number}"), &format!("large {number}")), length);
        let reply = deliver(&line, body).await;
        assert_eq!(reply.status, expected, "{length} bytes: {}", reply.text);
    }
    for body in without_message() {
        let reply = deliver(&line, &body).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, ""), "{} bytes", body.len());
    }
    assert_eq!(line.unparsed().await.len(), without_message().len());
    line.says("wamid.2", "Still here").await;
    let list = line.client.get(&line.messages().await).await.expect(200);
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, [words, "large 0", "large 1", "Still here"]);
}

//! The files of a message are fetched from the addresses that it names.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{Conduct, Line, Provider};
use crate::support::{Server, Store};

/// Starts a server of files, which returns one picture to each request. Returns its address.
async fn pictures() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 8_192];
            let _ = stream.read(&mut request).await;
            let length = PICTURE.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            let _ = stream.write_all(&[head.as_bytes(), PICTURE].concat()).await;
        }
    });
    url
}

const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n0123456789";

pub(super) async fn stores_the_files_of_a_message(store: Store) {
    let server = Server::start(store, &[]);
    let line = Line::open(&server, &Provider::start(Conduct::Takes).await).await;
    let files = json!([{"url": format!("{}/1", pictures().await), "name": "../cat.png", "mime_type": "image/png"}]);
    let body = json!({"type": "message", "id": "m1", "from": {"address": "+4930"}, "attachments": files});
    line.signed(&body, 0).await.expect(202);
    line.signed(&body, 0).await.expect(200);
    let conversation = line.only_conversation().await;
    let is_stored = |list: &Value| list["data"][0]["attachments"][0]["status"] != "pending";
    let list = line.client.until(&Line::messages(&conversation), is_stored).await;
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
    let message = &list["data"][0];
    assert_eq!((&message["type"], &message["text"]), (&json!("image"), &Value::Null));
    let file = &message["attachments"][0];
    assert_eq!((&file["name"], &file["mime_type"]), (&json!("cat.png"), &json!("image/png")));
    let stored = line.client.get(file["url"].as_str().unwrap()).await;
    assert_eq!((stored.status, stored.bytes.as_slice()), (200, PICTURE));
}

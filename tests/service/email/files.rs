//! The files of mails, of messages, and of flows and broadcasts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::mail_server::Fault;
use super::{Line, MailServer, SETTINGS, text, written};
use crate::support::{Server, Store};

pub(super) async fn the_files_of_a_mail_are_stored_once(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    let bytes = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0; 300_000]].concat();
    let with_file = format!(
        "From: ada@example.com\r\nMessage-ID: <m1@example.com>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nLook\r\n--b\r\nContent-Type: text/html; name=\"../cat.png\"\r\n\
         Content-Transfer-Encoding: base64\r\n\r\n{}\r\n--b--\r\n",
        STANDARD.encode(&bytes)
    );
    for _ in 0..2 {
        assert_eq!(line.arrives(&with_file).await.status, 200);
    }
    let list = line.client.get(&line.messages().await).await.expect(200);
    let [message] = &list["data"].as_array().unwrap()[..] else { panic!("{list}") };
    assert_eq!((&message["type"], &message["text"]), (&json!("file"), &json!("Look")), "{message}");
    let [file] = &message["attachments"].as_array().unwrap()[..] else { panic!("{message}") };
    assert_eq!((&file["name"], &file["mime_type"]), (&json!("cat.png"), &json!("image/png")), "{file}");
    let stored = line.client.get(&text(&file["url"])).await;
    assert_eq!((stored.status, stored.bytes), (200, bytes));
}

pub(super) async fn a_mail_contains_the_files_of_a_message(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    assert_eq!(line.arrives(&written("m1", "Hello", "Hi")).await.status, 200);
    let contact = line.contacts().await.remove(0);
    let send = format!("/api/v1/contacts/{}/send-message", text(&contact["id"]));
    let send_file = async |content: &[u8]| {
        let (upload, headers) = ("/api/v1/media?name=hello.txt", [("content-type", "text/plain")]);
        let file = line.client.send("POST", upload, &headers, Some(content.to_vec())).await.unwrap().expect(201);
        let attachments = json!([{"media_id": file["id"]}, {"url": "https://a.example/1"}]);
        let message = json!({"type": "file", "text": "The list", "attachments": attachments});
        line.client.post(&send, &message).await.expect(202);
    };
    send_file(b"Hello").await;
    let received = mail.received(1).await.remove(0);
    for part in ["The list", "https://a.example/1", "filename=\"hello.txt\"", &STANDARD.encode("Hello")] {
        assert!(received.contains(part), "{part}: {received}");
    }
    assert!(!received.contains("/m/"), "no link to the file: {received}");

    mail.fail_next(Fault::Answer("EHLO", "250-mail.test\r\n250-SIZE 3000\r\n250 AUTH PLAIN LOGIN"));
    send_file(&[b'x'; 5_000]).await;
    let received = mail.received(2).await.remove(1);
    assert!(received.contains("hello.txt: https://tidings.example/m/"), "a link to the large file: {received}");
    assert!(!received.contains("filename="), "{received}");
}

pub(super) async fn flows_and_broadcasts_send_files(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    assert_eq!(line.arrives(&written("m1", "Hello", "Hi")).await.status, 200);
    let contact = text(&line.contacts().await[0]["id"]);
    let message = async |name: &str| {
        let path = format!("/api/v1/media?name={name}");
        let file = line.client.send("POST", &path, &[], Some(name.as_bytes().to_vec())).await.unwrap().expect(201);
        json!({"type": "file", "text": "The list", "attachments": [{"media_id": file["id"]}]})
    };
    let assert_contains = |mail: &str, name: &str| {
        let (attached, content) = (format!("filename=\"{name}\""), STANDARD.encode(name));
        assert!(mail.contains(&attached) && mail.contains(&content), "{mail}");
    };
    let flow = json!({"start": "say", "nodes": [
        {"id": "say", "type": "send_message", "message": message("flow.txt").await, "next": "end"},
        {"id": "end", "type": "end"}]});
    let flow = line.client.publish_flow("Lists", &flow).await;
    let start = json!({"flow_id": flow});
    line.client.post(&format!("/api/v1/contacts/{contact}/start-flow"), &start).await.expect(202);
    assert_contains(&mail.received(1).await[0], "flow.txt");

    let broadcast = json!({"name": "Lists", "audience": {"all": []}, "message": message("news.txt").await});
    let broadcast = line.client.create("/api/v1/broadcasts", &broadcast).await;
    line.client.post(&format!("/api/v1/broadcasts/{broadcast}/send"), &json!({})).await.expect(202);
    assert_contains(&mail.received(2).await[1], "news.txt");
}

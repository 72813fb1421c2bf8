//! A contact and a member write to each other: threads, mails of programs, returned mail and an opt-out.

use serde_json::{Value, json};

use super::{Line, MailServer, SETTINGS, text, written};
use crate::support::{Server, Store};

pub(super) async fn a_contact_and_a_member_write_to_each_other(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    let flow = json!({"name": "Answers", "definition": {"start": "say", "nodes": [
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "A flow"}, "next": "end"},
        {"id": "end", "type": "end"}],
        "triggers": [{"type": "keyword", "match": "contains", "keywords": ["robot"]},
                     {"type": "event", "event": "contact.created"}]}});
    let flow = line.client.post("/api/v1/flows", &flow).await.expect(201);
    line.client.post(&format!("/api/v1/flows/{}/publish", text(&flow["id"])), &json!({})).await.expect(200);

    // The mails of programs start no flow.
    let away = written("m0", "Away", "I am a robot.").replacen("To:", "Auto-Submitted: auto-replied\r\nTo:", 1);
    assert_eq!(line.arrives(&away).await.status, 200);
    let quoted = "What does it cost?\r\n\r\nOn 1 Dec 2026 at 10:15 The Shop <hello@shop.example> wrote:\r\n> Tea?";
    let (one, two) = (written("m1", "Order 7", quoted), written("m1", "Order 7", quoted));
    let (one, two) = futures::join!(line.arrives(&one), line.arrives(&two));
    assert_eq!((one.status, two.status), (200, 200), "{} {}", one.text, two.text);
    let contacts = line.contacts().await;
    assert_eq!(contacts.len(), 1);
    assert_eq!(contacts[0]["identities"][0]["address"], "ada@example.com");
    assert_eq!(contacts[0]["first_name"], "Ada King");
    let list = line.client.get(&line.messages().await).await.expect(200);
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["I am a robot.", "What does it cost?"], "{list}");
    assert_eq!(list["data"][1]["subject"], "Order 7");
    assert_eq!(list["data"][1].get("sender_verified"), Some(&Value::Null), "no mail server checks it");
    let marks = |it: &Value| (it["auto"].clone(), it["has_original"].clone());
    assert_eq!(
        [&list["data"][0], &list["data"][1]].map(marks),
        [(json!(true), json!(false)), (json!(false), json!(true))]
    );
    assert_eq!(list["data"][1]["text_full"], Value::Null, "lists omit it: {list}");
    let question = line.client.get(&format!("/api/v1/messages/{}", text(&list["data"][1]["id"]))).await.expect(200);
    assert_eq!(question["text_full"], quoted.replace("\r\n", "\n"));
    assert_eq!(question["thread"], json!({"id": question["id"], "subject": "Order 7"}));

    let sent = line.send_until("sent").await;
    let received = mail.received(1).await.remove(0);
    let id = format!("<{}@shop.example>", text(&sent["id"]));
    assert_eq!(sent["provider_message_id"], id.as_str());
    assert_eq!(sent["thread"], question["thread"]);
    for header in [
        "From: \"The Shop\" <hello@shop.example>",
        "Subject: Re: Order 7",
        "In-Reply-To: <m1@example.com>",
        "References: <m1@example.com>",
    ] {
        assert!(received.lines().any(|line| line == header), "{header}: {received}");
    }
    assert!(received.contains(&id), "{received}");
    for line in ["Hello", "<div dir=3D\"auto\">Hello</div>"] {
        assert!(received.lines().any(|it| it == line), "{line}: {received}");
    }

    let returned = format!(
        "From: MAILER-DAEMON@mail.test\r\nReturn-Path: <>\r\nContent-Type: multipart/report; \
         report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
         Action: failed\r\nStatus: 5.1.1\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {id}\r\n\
         \r\n--b--\r\n"
    );
    assert_eq!(line.arrives(&returned).await.status, 200);
    let path = line.messages().await;
    let failed = |list: &Value| list["data"][2]["status"] == "failed" && list["data"][2]["error"]["message"] == "5.1.1";
    let list = line.client.until(&path, failed).await;
    assert_eq!(list["data"][2]["error"]["code"], "unreachable", "{list}");
    assert_eq!(list["data"][2]["error"]["provider_code"], "5.1.1", "{list}");
    assert_eq!(line.contacts().await.len(), 1, "a report creates no contact");
    let undeliverable_since = async || line.contacts().await[0]["identities"][0]["undeliverable_since"].clone();
    assert!(undeliverable_since().await.is_string());

    assert_eq!(line.arrives(&written("m2", "unsubscribe", "")).await.status, 200);
    let identity = line.contacts().await[0]["identities"][0].clone();
    assert_eq!((&identity["opted_in"], &identity["opt_out"]["source"]), (&json!(false), &json!("keyword")));
    assert_eq!(undeliverable_since().await, Value::Null, "a mail shows that the address works");
    let mails = mail.received(2).await;
    assert!(mails[1].contains("You are unsubscribed"), "{}", mails[1]);
    assert!(mails[1].lines().any(|line| line.starts_with("Auto-Submitted:")), "{}", mails[1]);
    assert_eq!(mails.len(), 2, "no flow answered");

    let large = written("m3", "Photos", &format!("Look\r\n\r\n{}", "x".repeat(70) + &"\r\nx".repeat(1_000_000)));
    assert_eq!(line.arrives(&large).await.status, 200);
}

//! An erasure leaves nothing of a contact of a mailbox: neither headers, texts and files of mails nor bodies that were no
//! mail.

use serde_json::{Value, json};

use super::{Line, MailServer, SETTINGS, text};
use crate::people::erased::{Marks, everything, until_erased};
use crate::support::{Server, Store};

/// Texts of the mail that need not be stored.
const OTHERS: [&str; 3] = ["zqcopied", "zqreferred", "zqquoted"];

pub async fn an_erasure_leaves_nothing_of_a_contact(store: Store) {
    let mail = MailServer::start().await;
    let mut server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    let mut marks = Marks::default();
    let (name, address, id) = (marks.next(), marks.next(), marks.next());
    let (subject, words, file) = (marks.next(), marks.next(), marks.next());
    let [copied, referred, quoted] = OTHERS;
    let content = "content of the file";
    let received = format!(
        "From: {name} <{address}@example.com>\r\nTo: hello@shop.example\r\nCc: {copied}@example.com\r\n\
         Message-ID: <{id}@example.com>\r\nReferences: <{referred}@example.com>\r\nSubject: {subject}\r\n\
         Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n{words}\r\n\r\n\
         > {quoted}\r\n--b\r\nContent-Type: text/plain; name=\"{file}.txt\"\r\n\
         Content-Disposition: attachment; filename=\"{file}.txt\"\r\n\r\n{content}\r\n--b--\r\n"
    );
    assert_eq!(line.arrives(&received).await.status, 200);
    let unknown = marks.next();
    assert_eq!(line.arrives(&format!("no mail of {unknown}")).await.status, 200);
    assert_eq!(line.unparsed().await.len(), 1);
    let answer = line.send_until("sent").await;
    assert!(mail.received(1).await[0].contains(&subject), "the answer repeats the subject");
    assert!(text(&answer["provider_message_id"]).contains(&text(&answer["id"])), "{answer}");

    let contacts = line.contacts().await;
    let [contact] = &contacts[..] else { panic!("{contacts:?}") };
    let contact = format!("/api/v1/contacts/{}", text(&contact["id"]));
    let list = line.client.get(&line.messages().await).await.expect(200);
    let url = text(&list["data"][0]["attachments"][0]["url"]);
    assert_eq!(line.client.get(&url).await.text.trim_end(), content);
    let all = everything(&server).await;
    assert_eq!(marks.missing_in(&all), Vec::<&String>::new(), "not stored before the erasure");
    let kept = line.client.get(&format!("{contact}/export")).await.expect(200).to_string();
    assert_eq!(marks.missing_in(&kept), [&unknown], "only the body that is no mail is not exported");

    line.client.post(&format!("{contact}/erase"), &json!({})).await.expect(202);
    until_erased(&line.client, &format!("{contact}/erase")).await;
    assert_eq!(line.unparsed().await, Vec::<Value>::new());
    line.client.get(&url).await.expect(404);
    server.terminate();
    assert!(server.wait(), "the server exits successfully");
    for (place, text) in [("store", everything(&server).await), ("log", server.log())] {
        let left = marks.found_in(&text);
        assert!(left.is_empty(), "the {place} contains {left:?}");
        for other in OTHERS {
            assert!(!text.contains(other), "the {place} contains {other}");
        }
    }
}

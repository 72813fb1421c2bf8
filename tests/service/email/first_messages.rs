//! First mails of strangers, a moment apart. A relay delivers each mail twice at once.

use futures::future::join_all;

use super::mail_server::MailServer;
use super::{Line, SETTINGS, written};
use crate::support::inbox::{PAUSES, Written, check_inbox, deliver, in_turn};
use crate::support::{Server, Store};

/// Delivers a mail twice at once.
async fn deliver_twice(line: &Line, from: &str, id: &str) {
    let mail = written(id, "Order", id).replacen("Ada@example.com", from, 1);
    let request = async || line.arrives(&mail).await;
    futures::join!(deliver(&request), deliver(&request));
}

pub async fn first_mails_of_a_stranger_create_one_contact(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    let mut expected = Written::new();
    for number in 0..PAUSES.len() {
        let ids = vec![format!("mail{number}a"), format!("mail{number}b")];
        expected.insert(format!("stranger{number}@example.com"), ids);
    }
    join_all(expected.iter().zip(PAUSES).map(async |((from, ids), pause)| {
        in_turn(pause, deliver_twice(&line, from, &ids[0]), deliver_twice(&line, from, &ids[1])).await;
    }))
    .await;
    check_inbox(&line.client, &expected).await;
}

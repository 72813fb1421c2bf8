//! First messages of strangers, a moment apart. Twilio delivers each message twice at once.

use futures::future::join_all;

use super::{Line, NUMBER, PUBLIC, TOKEN, Twilio, a_channel, sign, written};
use crate::support::inbox::{PAUSES, Written, check_inbox, deliver, in_turn};
use crate::support::{Server, Store};

/// Delivers a message twice at once.
async fn deliver_twice(line: &Line, from: &str, id: &str) {
    let form: Vec<(&str, &str)> =
        written(id, id).into_iter().map(|(name, value)| (name, if name == "From" { from } else { value })).collect();
    let signature = sign(TOKEN, &line.inbound, &form);
    let request = async || line.calls(&line.inbound, &form, Some(&signature)).await;
    futures::join!(deliver(&request), deliver(&request));
}

pub async fn first_messages_of_a_stranger_create_one_contact(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let twilio = Twilio::start().await;
    let line = Line::open(&server, &a_channel(&twilio, NUMBER, TOKEN)).await;
    let mut expected = Written::new();
    for number in 0..PAUSES.len() {
        let ids = vec![format!("SM{number}a"), format!("SM{number}b")];
        expected.insert(format!("+4917612340{number:03}"), ids);
    }
    join_all(expected.iter().zip(PAUSES).map(async |((from, ids), pause)| {
        in_turn(pause, deliver_twice(&line, from, &ids[0]), deliver_twice(&line, from, &ids[1])).await;
    }))
    .await;
    check_inbox(&line.client, &expected).await;
}

//! First messages of strangers, a moment apart, and batches that Meta delivers twice at once.

use futures::future::join_all;
use serde_json::{Value, json};

use super::{ACCOUNT, APP_SECRET, GraphApi, Line, NUMBER, PUBLIC, signature, written};
use crate::support::inbox::{PAUSES, Written, check_inbox, deliver, in_turn};
use crate::support::{Server, Store};

/// The change with a message of a stranger. Its ID is also its text.
fn change_of(from: &str, id: &str) -> Value {
    let members = json!({"from": from, "from_user_id": null, "type": "text", "text": {"body": id}});
    let mut value = written(NUMBER, id, &members);
    value["contacts"] = json!([{"profile": {"name": "Ada"}, "wa_id": from}]);
    json!({"field": "messages", "value": value})
}

async fn deliver_batch(line: &Line, changes: &[Value]) {
    let entry = json!([{"id": ACCOUNT, "changes": changes}]);
    let body = json!({"object": "whatsapp_business_account", "entry": entry}).to_string();
    let signature = signature(APP_SECRET, &body);
    deliver(async || line.post(&body, Some(&signature)).await).await;
}

pub async fn first_messages_of_a_stranger_create_one_contact(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let mut expected = Written::new();
    for number in 0..PAUSES.len() {
        let ids = vec![format!("wamid.{number}a"), format!("wamid.{number}b")];
        expected.insert(format!("4917612340{number:03}"), ids);
    }
    join_all(expected.iter().zip(PAUSES).map(async |((from, ids), pause)| {
        let (first, second) = ([change_of(from, &ids[0])], [change_of(from, &ids[1])]);
        in_turn(pause, deliver_batch(&line, &first), deliver_batch(&line, &second)).await;
    }))
    .await;
    check_inbox(&line.client, &expected).await;

    // A batch of three strangers twice at once, together with one that has half of its messages and new ones.
    let strangers = ["4917612341000", "4917612341001", "4917612341002"];
    let changes: Vec<(usize, String)> = (0..12).map(|number| (number % 3, format!("wamid.batch{number}"))).collect();
    for (stranger, id) in &changes {
        expected.entry(strangers[*stranger].to_owned()).or_default().push(id.clone());
    }
    let all: Vec<Value> = changes.iter().map(|(stranger, id)| change_of(strangers[*stranger], id)).collect();
    let (batch, other) = (&all[..8], &all[4..]);
    futures::join!(deliver_batch(&line, batch), deliver_batch(&line, batch), deliver_batch(&line, other));
    check_inbox(&line.client, &expected).await;
}

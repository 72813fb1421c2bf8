//! First messages of strangers, a moment apart. The updates of an album arrive at once, each twice.

use futures::future::join_all;
use serde_json::Value;

use super::{BotApi, Line, PUBLIC, TOKEN, written};
use crate::support::inbox::{PAUSES, Written, check_inbox, deliver, in_turn};
use crate::support::{Server, Store};

/// The number of photos in an album.
const ALBUM: usize = 10;

/// The update with this text in the chat of a stranger.
pub fn update_of(chat: usize, id: usize) -> (Value, String) {
    let text = format!("{chat}-{id}");
    let mut update = written(id as i64, &text);
    update["message"]["chat"]["id"] = chat.into();
    update["message"]["from"]["id"] = chat.into();
    (update, text)
}

pub async fn first_messages_of_a_stranger_create_one_contact(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    let mut expected = Written::new();
    let mut strangers = Vec::new();
    for (number, pause) in PAUSES.into_iter().enumerate() {
        let chat = 100 + number;
        let (first, second) = (update_of(chat, 1_000 + number), update_of(chat, 2_000 + number));
        expected.insert(chat.to_string(), vec![first.1, second.1]);
        strangers.push((pause, first.0, second.0));
    }
    join_all(strangers.iter().map(async |(pause, first, second)| {
        let (first, second) = (deliver(async || line.update(first).await), deliver(async || line.update(second).await));
        in_turn(*pause, first, second).await;
    }))
    .await;

    let album: Vec<(Value, String)> = (0..ALBUM).map(|number| update_of(77, 3_000 + number)).collect();
    expected.insert("77".to_owned(), album.iter().map(|(_, text)| text.clone()).collect());
    let twice = album.iter().chain(&album);
    join_all(twice.map(async |(update, _)| deliver(async || line.update(update).await).await)).await;
    check_inbox(&line.client, &expected).await;
}

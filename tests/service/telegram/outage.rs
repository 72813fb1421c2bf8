//! Updates while the connections to the database break: Telegram repeats them, and each is stored once.

use futures::future::join_all;

use super::first_messages::update_of;
use super::{BotApi, Line, PUBLIC, TOKEN};
use crate::support::inbox::{Written, check_inbox, deliver};
use crate::support::proxy::{Proxy, Wire};
use crate::support::{Server, Store};

const ROUNDS: usize = 8;
const AT_ONCE: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn updates_during_outages_are_repeated_and_stored_once_on_postgresql() {
    let store = Store::postgres().await;
    let mut proxy = Proxy::to(&store.url()).await;
    let server = Server::start(store, &[PUBLIC, ("TIDINGS__STORAGE__URL", proxy.url.as_str())]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    proxy.set(Wire::Cut).await;
    let refused = line.update(&update_of(1, 1).0).await;
    assert_eq!(refused.status, 503, "{}", refused.text);
    proxy.set(Wire::Whole).await;

    let mut expected = Written::new();
    for round in 0..ROUNDS {
        let updates: Vec<_> =
            (0..AT_ONCE).map(|number| update_of(100 + number, 10 + round * AT_ONCE + number)).collect();
        for (number, (_, text)) in updates.iter().enumerate() {
            expected.entry((100 + number).to_string()).or_default().push(text.clone());
        }
        let delivered = join_all(updates.iter().map(async |(update, _)| {
            deliver(async || line.update(update).await).await;
        }));
        let broken = async {
            proxy.set(Wire::Cut).await;
            proxy.set(Wire::Whole).await;
        };
        futures::join!(delivered, broken);
    }
    check_inbox(&line.client, &expected).await;
}

//! Sealed values of all workspaces, for the replacement of their key.

use tidings_domain::access::SigningKey;
use tidings_domain::events::EventKind;
use tidings_domain::ports::{
    AccountChange, Change, IdempotencyRecord, Row, SealedKind, SealedPlace, SealedRow, StoredBody,
};
use tidings_domain::secrets::Secret;
use tidings_domain::stored::StoredRow;
use tidings_domain::webhooks::{HeaderValue, OlderSecret, SealedHeaders, Subscription, header_context, secret_context};

use crate::Ports;
use crate::contacts::opt_outs::a_key_of_opt_outs;
use crate::fixtures::{NOW, World, a_secret, a_webhook, an_answer, an_http_channel, at, id};

/// The first canary stays until a caller that knows it writes another.
pub async fn replaces_the_canary_only_if_the_caller_knows_it(store: Ports) {
    let put = async |before: Option<&[u8]>, after: &[u8]| {
        store.sealed.put_canary(before.map(<[u8]>::to_vec), after.to_vec()).await.unwrap()
    };
    assert_eq!(store.sealed.canary().await, Ok(None));
    assert!(!put(Some(b"none"), b"x").await && put(None, b"first\0").await && !put(None, b"second").await);
    assert_eq!(store.sealed.canary().await, Ok(Some(b"first\0".to_vec())));
    assert!(!put(Some(b"second"), b"third").await && put(Some(b"first\0"), b"third").await);
    assert_eq!(store.sealed.canary().await, Ok(Some(b"third".to_vec())));
}

/// Stores `count` rows of each type, in two workspaces.
async fn filled(store: &Ports, count: u8) -> World {
    let (world, other) = (World::new(store).await, World::new(store).await);
    for number in 0..count {
        let place = if number % 2 == 0 { &world } else { &other };
        let mut webhook = a_webhook(Subscription::Kinds(vec![EventKind::ContactCreated]));
        webhook.older_secrets = vec![OlderSecret { sealed: vec![7, number], expires_at: at(9) }];
        let header = HeaderValue::Sealed { sealed: vec![8, number], shown: "••••".to_owned() };
        webhook.headers = SealedHeaders::new([("X-Key".to_owned(), header)]);
        place.add(Change::Insert(Row::Webhook(webhook))).await;
        place.add(Change::Insert(Row::Channel(an_http_channel(number)))).await;
        let secret = Secret { sealed: vec![6, number], ..a_secret(&format!("TOKEN_{number}")) };
        place.add(Change::Insert(Row::Stored(StoredRow::Secret(secret)))).await;
        let answer =
            IdempotencyRecord { body: StoredBody::Sealed(vec![number, 0]), ..an_answer(&format!("k{number}")) };
        place.commit(|set| set.idempotency = Some(answer)).await.unwrap();
        let key = SigningKey { id: id(), sealed: vec![number], created_at: NOW };
        place.add(Change::Account(AccountChange::InsertSigningKey(key))).await;
        World::new(store).await.add(a_key_of_opt_outs(&[number, 9])).await;
    }
    world.commit(|set| set.idempotency = Some(an_answer("plain"))).await.unwrap();
    world
}

async fn all(store: &Ports, kind: SealedKind, portion: u32) -> Vec<SealedRow> {
    let (mut rows, mut after) = (Vec::new(), None);
    loop {
        let found = store.sealed.sealed(kind, after, portion).await.unwrap();
        assert!(found.len() <= portion as usize);
        let Some(last) = found.last() else { return rows };
        after = Some(last.place.clone());
        rows.extend(found);
    }
}

/// Every row with a sealed value of any workspace is returned once, with the context of each value.
pub async fn returns_sealed_values_in_portions(store: Ports) {
    filled(&store, 5).await;
    for (kind, values) in SealedKind::ALL.into_iter().zip([3, 2, 1, 1, 1, 1]) {
        let mut rows = all(&store, kind, 2).await;
        assert_eq!(rows.len(), 5, "{kind:?}");
        assert!(rows.iter().all(|row| row.values.len() == values), "{kind:?}");
        assert_eq!(rows, all(&store, kind, 100).await);
        rows.dedup_by(|one, other| one.place == other.place);
        assert_eq!(rows.len(), 5, "{kind:?}");
    }
    let webhooks = all(&store, SealedKind::Webhooks, 100).await;
    for row in &webhooks {
        let SealedPlace::Webhook(_, webhook) = row.place else { panic!("{row:?}") };
        let contexts = row.values.iter().map(|value| value.context.clone()).collect::<Vec<_>>();
        assert_eq!(contexts, [secret_context(webhook), secret_context(webhook), header_context(webhook, "x-key")]);
        assert_eq!(row.values[0].sealed, [0, 1, 2, 255]);
    }
}

/// Sealed values are replaced only if they equal the expected ones; nothing else of the row changes.
pub async fn replaces_only_unchanged_sealed_values(store: Ports) {
    let world = filled(&store, 3).await;
    let page = tidings_domain::pagination::PageRequest::default();
    let before = store.webhooks.list(&world.access, &Default::default(), page).await.unwrap().items;
    for kind in SealedKind::ALL {
        let rows = all(&store, kind, 100).await;
        let anew = |row: &SealedRow, mark: u8| row.values.iter().map(|it| [&it.sealed[..], &[mark]].concat()).collect();
        let renewed: Vec<(SealedRow, Vec<Vec<u8>>)> = rows.iter().map(|row| (row.clone(), anew(row, 1))).collect();
        assert_eq!(store.sealed.replace_sealed(renewed.clone()).await, Ok(3), "{kind:?}");
        let late = rows.iter().map(|row| (row.clone(), anew(row, 2))).collect();
        assert_eq!(store.sealed.replace_sealed(late).await, Ok(0), "{kind:?}");
        let found = all(&store, kind, 100).await;
        let found: Vec<Vec<_>> =
            found.iter().map(|row| row.values.iter().map(|it| it.sealed.clone()).collect()).collect();
        assert_eq!(found, renewed.into_iter().map(|(_, values)| values).collect::<Vec<_>>(), "{kind:?}");
    }
    let mut after = store.webhooks.list(&world.access, &Default::default(), page).await.unwrap().items;
    for (before, after) in before.iter().zip(&mut after) {
        assert_eq!(after.secret, [0, 1, 2, 255, 1]);
        after.secret = before.secret.clone();
        after.older_secrets = before.older_secrets.clone();
        assert_eq!(after.headers.to_map(), before.headers.to_map());
        after.headers = before.headers.clone();
    }
    assert_eq!(after, before);
}

/// Unsealed headers are returned in portions, and replaced only if they equal the expected ones; nothing else changes.
pub async fn returns_and_replaces_unsealed_headers(store: Ports) {
    let world = filled(&store, 2).await;
    let mut written = Vec::new();
    for number in 0..3 {
        let mut webhook = a_webhook(Subscription::All);
        let plain = HeaderValue::Plain(format!("value {number}"));
        webhook.headers = SealedHeaders::new([("X-Key".to_owned(), plain)]);
        world.add(Change::Insert(Row::Webhook(webhook.clone()))).await;
        written.push(webhook);
    }
    let (mut rows, mut after) = (Vec::new(), None);
    loop {
        let found = store.sealed.plain_headers(after, 2).await.unwrap();
        let Some(last) = found.last() else { break };
        after = Some((last.workspace, last.webhook));
        rows.extend(found);
    }
    written.sort_by_key(|webhook| webhook.id);
    let told: Vec<_> = rows.iter().map(|row| (row.webhook, row.headers.clone())).collect();
    assert_eq!(told, written.iter().map(|it| (it.id, it.headers.clone())).collect::<Vec<_>>());

    let sealed = HeaderValue::Sealed { sealed: vec![1, 2], shown: "••••".to_owned() };
    let sealed = SealedHeaders::new([("X-Key".to_owned(), sealed)]);
    let anew: Vec<_> = rows.iter().map(|row| (row.clone(), sealed.clone())).collect();
    assert_eq!(store.sealed.replace_headers(anew.clone()).await, Ok(3));
    assert_eq!(store.sealed.replace_headers(anew).await, Ok(0), "headers that have changed are not replaced");
    assert_eq!(store.sealed.plain_headers(None, 9).await, Ok(vec![]));
    for mut webhook in written {
        webhook.headers = sealed.clone();
        assert_eq!(store.webhooks.get(&world.access, webhook.id).await, Ok(Some(webhook)));
    }
}

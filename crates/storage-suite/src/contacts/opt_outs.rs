//! Opt-outs of deleted contacts: they are remembered, so a new contact at the same address is not opted in.

use tidings_domain::channels::Channel;
use tidings_domain::contacts::{Contact, ContactRef, NewContact, NewIdentity};
use tidings_domain::opt_outs::{OptOut, OptOutChange};
use tidings_domain::outcome::ExpectedVersion;
use tidings_domain::ports::{Change, ChannelChange, Conflict, Guard, Remembered, Row};
use tidings_domain::stored::StoredRow;
use tidings_domain::{Error, Tidings};

use crate::Ports;
use crate::fixtures::{NOW, World, an_http_channel, at, conflict, id};
use crate::ledger::guards::at_once;

/// Returns the change that stores a key for opt-outs.
pub fn a_key_of_opt_outs(sealed: &[u8]) -> Change {
    Change::OptOut(OptOutChange::MakeKey { sealed: sealed.to_vec(), at: NOW })
}

/// Returns an opt-out.
pub fn an_opt_out(digest: u8, on: Option<&Channel>) -> OptOut {
    OptOut { channel: on.map(|channel| channel.id), digest: [digest; 32] }
}

/// Returns the change that remembers these opt-outs.
pub fn remembering(opt_outs: Vec<OptOut>) -> Change {
    Change::OptOut(OptOutChange::Remember { opt_outs, at: at(1) })
}

fn require(revision: i64) -> Change {
    Change::OptOut(OptOutChange::Require { revision })
}

async fn known(world: &World, digests: &[u8]) -> (i64, Vec<u8>) {
    let asked: Vec<_> = digests.iter().map(|digest| [*digest; 32]).collect();
    let Remembered { revision, digests } = world.ports.opt_outs.among(&world.access, &asked).await.unwrap();
    (revision, digests.into_iter().map(|digest| digest[0]).collect())
}

/// The first key of a workspace stays. Each digest is remembered once, until it is lifted or its channel is deleted.
pub async fn remembers_opt_outs_by_their_digests(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let channel = an_http_channel(1);
    world.add(Change::Insert(Row::Channel(channel.clone()))).await;
    let key = async |of: &World| store.catalog.catalog(of.workspace).await.unwrap().opt_out_key.clone();
    let before = store.catalog.catalog(world.workspace).await.unwrap().revision;
    let early = world.change(remembering(vec![an_opt_out(1, None)])).await;
    assert_eq!(conflict(early), Conflict::CatalogChanged, "without a key the change is rejected");
    assert_eq!((key(&world).await, known(&world, &[1]).await), (None, (0, vec![])));

    world.add(a_key_of_opt_outs(b"first\0")).await;
    world.add(a_key_of_opt_outs(b"second")).await;
    assert_eq!((key(&world).await, key(&other).await), (Some(b"first\0".to_vec()), None));
    let late = world
        .commit(|set| {
            set.guard(Guard::Catalog(before)).change(require(1));
        })
        .await;
    assert_eq!(conflict(late), Conflict::CatalogChanged, "a change based on the missing key is rejected");

    world.add(remembering(vec![an_opt_out(1, None), an_opt_out(2, Some(&channel))])).await;
    world.add(remembering(vec![an_opt_out(2, Some(&channel)), an_opt_out(3, None)])).await;
    assert_eq!(known(&world, &[3, 4, 2, 1]).await, (3, vec![3, 2, 1]));
    assert_eq!(known(&world, &[]).await, (3, vec![]));
    assert_eq!(known(&other, &[1, 2, 3]).await, (0, vec![]));

    other.add(a_key_of_opt_outs(b"other")).await;
    other.add(Change::OptOut(OptOutChange::Lift { digests: vec![[1; 32], [2; 32]] })).await;
    assert_eq!(known(&world, &[1, 2]).await.1, [1, 2]);
    world.add(Change::OptOut(OptOutChange::Lift { digests: vec![[1; 32], [9; 32]] })).await;
    world.add(Change::Channel(ChannelChange::Delete { channel: channel.id, at: at(2) })).await;
    assert_eq!(known(&world, &[1, 2, 3]).await, (3, vec![3]));
}

/// A change based on the remembered opt-outs is written only while no others exist.
pub async fn rejects_changes_with_an_old_revision_of_opt_outs(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let refused = async |of: &World, revision| match of.change(require(revision)).await {
        Ok(()) => false,
        outcome => conflict(outcome) == Conflict::CatalogChanged,
    };
    assert!(!refused(&world, 0).await && refused(&world, 1).await);
    world.add(a_key_of_opt_outs(b"key")).await;
    assert!(refused(&world, 0).await && !refused(&world, 1).await);
    world.add(remembering(vec![an_opt_out(1, None)])).await;
    assert!(refused(&world, 1).await && !refused(&world, 2).await && !refused(&other, 0).await);
    let both = async |tag: &str, revision| {
        let tag = tidings_domain::tags::Tag::new(id(), tag, NOW);
        world
            .commit(|set| {
                set.change(Change::Insert(Row::Stored(StoredRow::Tag(tag)))).change(require(revision));
            })
            .await
    };
    assert_eq!(conflict(both("late", 1).await), Conflict::CatalogChanged);
    both("in time", 2).await.unwrap();
    let names = store.catalog.catalog(world.workspace).await.unwrap();
    let names: Vec<_> = names.tags.values().map(|tag| tag.name.as_str()).collect();
    assert_eq!(names, ["in time"], "a set is written as a whole");
}

/// A contact is deleted while a new one is created at its address: the opt-out is known in every order.
pub async fn knows_an_opt_out_when_its_contact_is_created_again(store: Ports) {
    for number in 0..3 {
        let world = World::new(&store).await;
        let channel = an_http_channel(number);
        world.add(Change::Insert(Row::Channel(channel.clone()))).await;
        let tidings = Tidings::new(store.clone());
        for round in 0..8 {
            comes_back(&world, &tidings, &channel, &format!("address {round}")).await;
        }
    }
}

/// Deletes an opted-out contact while other tasks try to create one at its address, and checks that the new contact is
/// not opted in.
async fn comes_back(world: &World, tidings: &Tidings, channel: &Channel, address: &str) {
    let new = |opted_in| NewContact {
        identities: Some(vec![NewIdentity {
            channel: channel.id,
            address: address.to_owned(),
            opted_in: Some(opted_in),
        }]),
        ..NewContact::default()
    };
    let gone = tidings.contacts.create(&world.access, new(false), None).await.unwrap().value;
    let makers = (0..4).map(|maker| {
        let (tidings, access, new) = (tidings.clone(), world.access.clone(), new(true));
        async move {
            if maker == 0 {
                let deleted = ContactRef::Id(gone.id);
                tidings.contacts.delete(&access, &deleted, &ExpectedVersion::Any).await.unwrap();
                return None;
            }
            loop {
                match tidings.contacts.create(&access, new.clone(), None).await {
                    Ok(made) => return Some(made.value),
                    Err(Error::ContactExists { existing, .. }) if existing != gone.id => return None,
                    Err(Error::ContactExists { .. } | Error::Store(_)) => tokio::task::yield_now().await,
                    Err(other) => panic!("{other:?}"),
                }
            }
        }
    });
    let made: Vec<Contact> = at_once(makers).await.into_iter().flatten().collect();
    let [back] = made.as_slice() else { panic!("exactly one contact must be created: {made:?}") };
    let opted_in: Vec<_> = back.identities.iter().filter(|it| it.channel == channel.id).map(|it| it.opted_in).collect();
    assert_eq!(opted_in, [false], "{address}");
}

//! Files of messages: their use, and the deletion of those that no message uses.

use tidings_domain::contacts::Contact;
use tidings_domain::ids::{ContactId, MediaId};
use tidings_domain::media::{Media, MediaType, MediaUse};
use tidings_domain::ports::{
    Change, Conflict, ConversationChange, ErasureChange, FilePlace, Guard, MergeChange, Object, ReferenceChange, Row,
};
use tidings_domain::references::{Dependent, Referent, Referrer};

use crate::Ports;
use crate::contacts::{erasures, merges};
use crate::fixtures::{World, a_media, a_saved_reply, at, conflict, id};

async fn add(world: &World, media: Media) -> MediaId {
    let own = media.id;
    world.add(Change::Insert(Row::Stored(media.into()))).await;
    own
}

async fn send(world: &World, media: MediaId, contact: ContactId) {
    world.add(Change::Conversation(ConversationChange::UseMedia { media, contact })).await;
}

async fn find(world: &World, media: MediaId) -> Option<Media> {
    world.ports.media.get(&world.access, media).await.unwrap()
}

async fn use_of(world: &World, media: MediaId) -> Option<(MediaUse, i64)> {
    find(world, media).await.map(|it| (it.used_by, it.version))
}

/// All fields of a file are stored, and only its own workspace finds it.
pub async fn stores_all_fields_of_a_file(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let contact = world.contact().await.id;
    for (media_type, used_by) in [
        (MediaType::Pdf, MediaUse::Unused),
        (MediaType::OctetStream, MediaUse::Contact(contact)),
        (MediaType::Mp4, MediaUse::Shared),
    ] {
        let media = Media { media_type, used_by, ..a_media("Übersicht.pdf") };
        let own = add(&world, media.clone()).await;
        assert_eq!(find(&world, own).await, Some(media));
        assert_eq!(find(&other, own).await, None);
    }
    let found = async |ids: &[MediaId]| store.media.by_ids(&world.access, ids).await.unwrap();
    let (one, foreign) = (add(&world, a_media("b.png")).await, add(&other, a_media("b.png")).await);
    let mut named: Vec<_> = found(&[one, foreign, id()]).await.into_iter().map(|it| it.id).collect();
    assert_eq!((named.pop(), named), (Some(one), Vec::new()));
    assert_eq!(found(&[]).await, []);
    world.add(Change::Delete(Object::Stored(one.into()))).await;
    other.add(Change::Delete(Object::Stored(foreign.into()))).await;
    let total = async |world: &World| store.media.total_size(&world.access).await.unwrap();
    assert_eq!((total(&world).await, total(&other).await), (3_000, 0));
    let elsewhere = add(&other, a_media("a.png")).await;
    let place = |world: &World, media| FilePlace { workspace: world.workspace, media };
    let asked = vec![place(&other, elsewhere), place(&world, elsewhere), place(&other, id())];
    assert_eq!(store.engine.existing_media(asked.clone()).await.unwrap(), asked[..1]);
    assert_eq!(store.engine.existing_media(asked[1..2].to_vec()).await.unwrap(), []);
}

/// The first contact owns a file, a second one makes it shared, and each change of its use is a new version.
pub async fn a_file_is_shared_by_several_contacts(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (ada, bob) = (world.contact().await.id, world.contact().await.id);
    let media = add(&world, a_media("cat.png")).await;
    for (contact, expected) in [
        (ada, (MediaUse::Contact(ada), 2)),
        (ada, (MediaUse::Contact(ada), 2)),
        (bob, (MediaUse::Shared, 3)),
        (ada, (MediaUse::Shared, 3)),
    ] {
        send(&world, media, contact).await;
        assert_eq!(use_of(&world, media).await, Some(expected));
    }
    send(&other, media, bob).await;
    send(&world, id(), bob).await;
    assert_eq!(use_of(&world, media).await, Some((MediaUse::Shared, 3)));
}

/// Files that only one contact uses are erased with the contact, and move to the survivor of a merge.
pub async fn files_follow_their_contact(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (gone, stays) = (world.contact().await, world.contact().await);
    let of = async |contact: &Contact| {
        let media = [add(&world, a_media("a.png")).await, add(&world, a_media("b.png")).await];
        for file in media {
            send(&world, file, contact.id).await;
        }
        media
    };
    let (first, second) = (of(&gone).await, of(&stays).await);
    let shared = add(&world, Media { used_by: MediaUse::Shared, ..a_media("c.png") }).await;
    let theirs = Media { used_by: MediaUse::Contact(gone.id), ..a_media("d.png") };
    let theirs = add(&other, theirs).await;

    world.add(merges::begin(&gone, &stays)).await;
    let (contact, into) = (gone.id, stays.id);
    let mut portions = 0;
    while store.merges.is_left(&world.access, contact, into).await.unwrap() {
        world.add(Change::Merge(MergeChange::MovePart { contact, into, limit: 1, at: at(2) })).await;
        portions += 1;
        assert!(portions < 10, "the merge ends");
    }
    for media in first {
        assert_eq!(use_of(&world, media).await, Some((MediaUse::Contact(into), 3)));
    }

    let listed = async |limit| store.media.of_contact(&world.access, into, limit).await.unwrap();
    let all = [first, second].concat();
    assert_eq!((listed(9).await, listed(3).await), (all.clone(), all[..3].to_vec()));
    world.add(erasures::begin(&stays)).await;
    let mut portions = 0;
    while store.erasures.is_left(&world.access, into).await.unwrap() {
        world.add(Change::Erasure(ErasureChange::RemovePart { contact: into, limit: 3, at: at(2) })).await;
        portions += 1;
        assert!(portions < 10, "the erasure ends");
    }
    for media in first.into_iter().chain(second) {
        assert_eq!(use_of(&world, media).await, None);
    }
    assert_eq!(use_of(&world, shared).await, Some((MediaUse::Shared, 1)));
    assert_eq!(use_of(&other, theirs).await, Some((MediaUse::Contact(gone.id), 1)));
}

/// Old files that no message uses are removed in portions, the oldest first.
pub async fn removes_old_files_that_no_message_uses(store: Ports) {
    let world = World::new(&store).await;
    let made = async |seconds| add(&world, Media { created_at: at(seconds), ..a_media("a.png") }).await;
    let (second, first, used, young) = (made(2).await, made(1).await, made(1).await, made(3).await);
    send(&world, used, world.contact().await.id).await;
    let expire = async |limit| store.engine.expire_media(at(3), limit).await.unwrap();
    assert_eq!(expire(1).await, 1);
    assert_eq!((find(&world, first).await, find(&world, second).await.is_some()), (None, true));
    assert_eq!((expire(9).await, expire(9).await), (1, 0));
    assert!(find(&world, used).await.is_some() && find(&world, young).await.is_some());
}

/// A file that an object names is neither removed as unused nor erased with a contact, until the reference ends.
pub async fn keeps_files_of_other_objects(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let [unused, sent] = [add(&world, a_media("a.png")).await, add(&world, a_media("b.png")).await];
    send(&world, sent, contact.id).await;
    let owner = Referrer::Flow(flow.id);
    let put = async |targets| world.add(Change::Reference(ReferenceChange::Put { owner, targets })).await;
    let named: Vec<_> = [unused, sent].map(Referent::Media).into();
    put(named.clone()).await;
    assert_eq!(store.references.targets(&world.access, owner).await.unwrap(), named);
    for target in named {
        let deleted = world.commit(|set| {
            set.guard(Guard::Unused(target)).change(Change::Delete(target.object()));
        });
        assert_eq!(conflict(deleted.await), Conflict::InUse(target));
    }
    let expire = async || store.engine.expire_media(at(9_999_999), 9).await.unwrap();
    assert_eq!(expire().await, 0);

    assert_eq!(store.media.of_contact(&world.access, contact.id, 9).await.unwrap(), []);
    world.add(erasures::begin(&contact)).await;
    let mut portions = 0;
    while store.erasures.is_left(&world.access, contact.id).await.unwrap() {
        world.add(Change::Erasure(ErasureChange::RemovePart { contact: contact.id, limit: 3, at: at(2) })).await;
        portions += 1;
        assert!(portions < 10, "the erasure ends");
    }
    assert_eq!(use_of(&world, sent).await, Some((MediaUse::Unused, 3)));

    let reply = a_saved_reply("Cats");
    let owner_of_reply = Referrer::Stored(reply.id.into());
    let named = Dependent::new(owner_of_reply, "Cats".to_owned());
    world.add(Change::Insert(Row::Stored(reply.into()))).await;
    let targets = vec![Referent::Media(unused)];
    world.add(Change::Reference(ReferenceChange::Put { owner: owner_of_reply, targets })).await;
    let users = store.references.dependents(&world.access, Referent::Media(unused)).await.unwrap();
    assert_eq!(users, [Dependent::new(owner, flow.name.clone()), named]);
    let targets = Vec::new();
    world.add(Change::Reference(ReferenceChange::Put { owner: owner_of_reply, targets })).await;

    put(Vec::new()).await;
    assert_eq!(store.references.targets(&world.access, owner).await.unwrap(), []);
    assert_eq!((expire().await, use_of(&world, unused).await, use_of(&world, sent).await), (2, None, None));
}

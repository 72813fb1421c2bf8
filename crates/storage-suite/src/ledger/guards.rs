//! Rule 3: a guard takes a lock, so its condition stays true until the commit.

use futures::future::join_all;
use tidings_domain::access::{Member, Role};
use tidings_domain::contacts::Contact;
use tidings_domain::fields::FieldKind;
use tidings_domain::media::{Media, MediaUse};
use tidings_domain::ports::{
    AccessChange, Change, ChangeSet, CommitError, Conflict, ContactChange, ConversationChange, Counted, Guard, Object,
    Row, TagChange,
};
use tidings_domain::stored::{StoredId, StoredKind, StoredRow};
use tidings_domain::tags::Tag;

use crate::Ports;
use crate::fixtures::{
    NOW, World, a_bot_field, a_broadcast, a_bulk_operation, a_field, a_flow, a_key, a_media, a_sandbox, a_saved_reply,
    a_secret, a_segment, a_webhook, an_import, an_invitation, at, conflict, id, nothing,
};

/// Runs all futures concurrently, each in a separate task.
pub(crate) async fn at_once<T: Send + 'static>(
    tasks: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    let tasks: Vec<_> = tasks.into_iter().map(tokio::spawn).collect();
    join_all(tasks).await.into_iter().map(Result::unwrap).collect()
}

/// Of twenty concurrent inserts, five fit below the limit.
pub async fn concurrent_inserts_stop_at_the_limit(store: Ports) {
    let world = World::new(&store).await;
    let outcomes = at_once((0..20).map(|number| {
        let world = world.clone();
        async move {
            world
                .commit(|set| {
                    set.guard(Guard::Room { what: Counted::Stored(StoredKind::Tag), adding: 1, most: 5 });
                    set.change(Change::Insert(Row::Stored(StoredRow::Tag(Tag::new(
                        id(),
                        &format!("tag {number}"),
                        NOW,
                    )))));
                })
                .await
        }
    }))
    .await;
    let full = Conflict::Full { what: Counted::Stored(StoredKind::Tag), most: 5 };
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 5, "{outcomes:?}");
    assert!(outcomes.into_iter().filter(Result::is_err).all(|outcome| conflict(outcome) == full));
}

/// Each limit counts only its own type of row, in one workspace.
pub async fn each_limit_counts_only_its_own_rows(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (contact, elsewhere) = (world.contact().await, world.contact().await);
    let (flow, tag) = (world.flow().await, world.tag("vip").await);
    let full = async |what, adding, most| {
        let outcome = world.commit(|set| set.guards.push(Guard::Room { what, adding, most })).await;
        outcome.is_err_and(|error| error == CommitError::Conflict(Conflict::Full { what, most }))
    };
    world.add(Change::Insert(Row::Stored(StoredRow::CustomField(a_field("size", FieldKind::Text))))).await;
    world.add(Change::Insert(Row::Stored(StoredRow::BotField(a_bot_field("hours"))))).await;
    world.add(Change::Insert(Row::Stored(StoredRow::Secret(a_secret("TOKEN"))))).await;
    world.add(Change::Insert(Row::Stored(StoredRow::Segment(a_segment())))).await;
    world.add(Change::Insert(Row::Stored(StoredRow::SavedReply(a_saved_reply("Hours"))))).await;
    for used_by in [MediaUse::Shared, MediaUse::Contact(contact.id)] {
        // Strangers can send any number of files, so a file of a contact takes no room.
        world.add(Change::Insert(Row::Stored(StoredRow::Media(Media { used_by, ..a_media("cat.png") })))).await;
    }
    world.add(Change::Insert(Row::Broadcast(Box::new(a_broadcast())))).await;
    world.add(Change::Insert(Row::BulkOperation(Box::new(a_bulk_operation())))).await;
    world.add(Change::Insert(Row::Import(Box::new(an_import())))).await;
    world.add(Change::Insert(Row::Webhook(a_webhook(nothing())))).await;
    let (usable, revoked) = (a_key(world.workspace, 1), a_key(world.workspace, 2));
    world.add(Change::Access(AccessChange::InsertKey(usable))).await;
    world.add(Change::Access(AccessChange::InsertKey(revoked.clone()))).await;
    world.add(Change::Access(AccessChange::RevokeKey { key: revoked.id, at: NOW })).await;
    world.add(Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: NOW })).await;
    world.run(&flow, &contact).await;
    other.tag("theirs").await;
    other.add(Change::Insert(Row::Flow(a_flow()))).await;
    let starts = Counted::Starts { flow: flow.id, contact: contact.id, since: NOW };
    for what in [
        Counted::Stored(StoredKind::Tag),
        Counted::Stored(StoredKind::CustomField),
        Counted::Stored(StoredKind::BotField),
        Counted::Stored(StoredKind::Secret),
        Counted::Stored(StoredKind::Segment),
        Counted::Stored(StoredKind::SavedReply),
        Counted::Stored(StoredKind::Media),
        Counted::Broadcasts,
        Counted::BulkOperations,
        Counted::Imports,
        Counted::Flows,
        Counted::Webhooks,
        Counted::Keys,
        Counted::TagsOf(contact.id),
        starts,
    ] {
        // One row of each exists.
        assert!(!full(what, 1, 2).await, "{what:?}");
        assert!(full(what, 1, 1).await, "{what:?}");
        assert!(!full(what, 0, 1).await, "{what:?}");
    }
    assert!(!full(Counted::TagsOf(elsewhere.id), 1, 1).await);
    let absent = Guard::Room { what: Counted::TagsOf(id()), adding: 1, most: 1 };
    assert!(matches!(conflict(world.commit(|set| set.guards.push(absent)).await), Conflict::Stale(Object::Contact(_))));
}

/// Open invitations and those that were accepted or refused count once each, for an hour.
pub async fn counts_each_invitation_of_an_hour_once(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let count = async |since| {
        let mut present = 0;
        let what = Counted::Invitations { since };
        while conflicts(&world, Guard::Room { what, adding: 0, most: present }).await {
            present += 1;
        }
        present
    };
    let [open, tried, withdrawn] = [1, 2, 3].map(|digest| an_invitation(&format!("{digest}@example.com"), digest));
    for invitation in [&open, &tried, &withdrawn] {
        world.add(Change::Access(AccessChange::InsertInvitation(invitation.clone()))).await;
    }
    assert_eq!(count(NOW).await, 3);
    for (invitation, instant) in [(&tried, at(5)), (&withdrawn, at(6)), (&tried, at(7))] {
        world.add(Change::Access(AccessChange::CountInvitation { invitation: invitation.id, at: instant })).await;
    }
    world.add(Change::Delete(Object::Invitation(withdrawn.id))).await;
    assert_eq!(count(NOW).await, 3, "a withdrawn invitation counts if it was tried");
    assert_eq!((count(at(1)).await, count(at(6)).await, count(at(7)).await), (2, 1, 0));
    let mut refused = store.members.counted_invitations(&world.access, NOW).await.unwrap();
    refused.sort_by_key(|(_, instant)| *instant);
    assert_eq!(refused, [(tried.id, at(5)), (withdrawn.id, at(6))], "the first failed attempt is kept");
    assert_eq!(store.members.counted_invitations(&other.access, NOW).await, Ok(Vec::new()));
    let later = at(3_606);
    world.add(Change::Access(AccessChange::CountInvitation { invitation: open.id, at: later })).await;
    let kept = store.members.counted_invitations(&world.access, NOW).await.unwrap();
    assert!(!kept.iter().any(|(id, _)| *id == tried.id) && kept.contains(&(open.id, later)), "{kept:?}");
}

async fn conflicts(world: &World, guard: Guard) -> bool {
    world.commit(|set| set.guards.push(guard)).await.is_err()
}

/// A guard on a member's role holds while the role is at least as high, also in the sandbox of the workspace.
pub async fn rejects_an_actor_without_the_required_role(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let ada = world.member("ada@example.com", Role::Admin).await;
    let founding = a_sandbox(world.workspace);
    let sandbox = founding.workspace.id;
    world.add(Change::Access(AccessChange::FoundWorkspace(Box::new(founding)))).await;
    let acts = async |workspace, role| {
        let mut set = ChangeSet::new(workspace);
        set.guard(Guard::Standing { user: ada.id, role });
        store.ledger.commit(set).await
    };
    let lost = Err(CommitError::Conflict(Conflict::Standing));
    for workspace in [world.workspace, sandbox] {
        assert_eq!(acts(workspace, Role::Viewer).await, Ok(()));
        assert_eq!(acts(workspace, Role::Admin).await, Ok(()));
        assert_eq!(acts(workspace, Role::Owner).await, lost);
    }
    assert_eq!(acts(other.workspace, Role::Viewer).await, lost);
    world.add(Change::Delete(Object::Member(ada.id))).await;
    for workspace in [world.workspace, sandbox] {
        assert_eq!(acts(workspace, Role::Viewer).await, lost);
    }
}

/// A demotion and an action by the demoted admin exclude each other: exactly one commits.
pub async fn a_demotion_and_an_action_exclude_each_other(store: Ports) {
    let world = World::new(&store).await;
    for round in 0..50_u8 {
        let ada = world.member(&format!("ada{round}@example.com"), Role::Admin).await;
        let mut demotion = ChangeSet::new(world.workspace);
        demotion.guard(Guard::Room { what: Counted::Keys, adding: 0, most: 0 });
        let member = Member { version: 2, ..Member::new(ada.id, Role::Viewer, NOW) };
        demotion.change(Change::Update(Row::Member(member)));
        let mut act = ChangeSet::new(world.workspace);
        let key = a_key(world.workspace, round);
        act.guard(Guard::Standing { user: ada.id, role: Role::Admin });
        act.change(Change::Access(AccessChange::InsertKey(key.clone())));
        let sets = if round % 2 == 0 { [demotion, act] } else { [act, demotion] };
        let tasks = sets.map(|set| {
            let ledger = store.ledger.clone();
            async move { ledger.commit(set).await }
        });
        let outcomes = at_once(tasks).await;
        assert_eq!(outcomes.iter().filter(|it| it.is_ok()).count(), 1, "{round}: {outcomes:?}");
        if store.members.role(&world.access, ada.id).await == Ok(Some(Role::Admin)) {
            world.add(Change::Access(AccessChange::RevokeKey { key: key.id, at: NOW })).await;
        }
    }
}

/// Of sixteen updates based on the same version, one succeeds.
pub async fn one_of_many_updates_of_a_version_succeeds(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await;
    let object = Object::Contact(contact.id);
    for guarded in [true, false] {
        let read = store.contacts.find_even_deleted(&world.access, contact.id).await.unwrap().unwrap();
        let outcomes = at_once((0..16).map(|number| {
            let (world, mut contact) = (world.clone(), read.clone());
            async move {
                let guard = Guard::Version(Object::Contact(contact.id), contact.version);
                contact.first_name = Some(format!("Ada {number}"));
                contact.touch(at(1));
                world
                    .commit(|set| {
                        set.guards.extend(guarded.then_some(guard));
                        set.change(Change::Update(Row::Contact(Box::new(contact))));
                    })
                    .await
            }
        }))
        .await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
        assert!(
            outcomes.into_iter().filter(Result::is_err).all(|outcome| conflict(outcome) == Conflict::Stale(object))
        );
        let now = store.contacts.find_even_deleted(&world.access, contact.id).await.unwrap().unwrap();
        assert_eq!(now.version, read.version + 1);
    }
}

/// A tag and its links are deleted while contacts are linked to it. A link that was accepted came before, so it was
/// deleted as well.
pub async fn a_link_never_outlives_its_tag(store: Ports) {
    let world = World::new(&store).await;
    let contacts = join_all((0..5).map(|_| world.contact())).await;
    for round in 0..12 {
        let tag = world.tag(&format!("tag {round}")).await.id;
        // Adds time between the check of the tag and the commit, during which an unguarded delete would happen.
        let pause = |rows: usize| -> Vec<Change> {
            (0..rows).map(|_| Change::Insert(Row::Contact(Box::new(Contact::new(id(), NOW))))).collect()
        };
        let links = contacts.iter().map(|contact| contact.id).map(|contact| {
            let (world, pause) = (world.clone(), pause(20));
            async move {
                let outcome = world
                    .commit(|set| {
                        set.guard(Guard::Live(Object::Stored(StoredId::Tag(tag))));
                        set.change(Change::Tag(TagChange::Link { contact, tag, at: NOW }));
                        set.changes.extend(pause);
                    })
                    .await;
                assert!(outcome.is_ok() || conflict(outcome) == Conflict::Stale(Object::Stored(StoredId::Tag(tag))));
            }
        });
        let linking = tokio::spawn(at_once(links.collect::<Vec<_>>()));
        let deletion = world.commit(|set| {
            set.changes.extend(pause(2 * round));
            set.change(Change::Delete(Object::Stored(StoredId::Tag(tag))))
                .change(Change::Tag(TagChange::SweepLinks { tag, limit: 1_000 }));
        });
        deletion.await.unwrap();
        linking.await.unwrap();
        assert!(
            !store.tags.has_links(&world.access, tag).await.unwrap(),
            "a link was created after its tag was deleted"
        );
    }
}

/// Last-seen times only increase, in any order of the touches, and change no version.
pub async fn last_seen_times_only_increase(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await;
    let conversation = world.conversation(&contact).await;
    let touches = [5_u64, 9, 1, 7, 3].map(|seconds| {
        let (world, conversation, contact) = (world.clone(), conversation.id, contact.id);
        async move {
            let at = at(seconds);
            world
                .commit(|set| {
                    set.change(Change::Conversation(ConversationChange::Touch { conversation, at }));
                    set.change(Change::Contact(ContactChange::Touch { contact, at }));
                })
                .await
        }
    });
    assert!(at_once(touches).await.iter().all(Result::is_ok));
    let read = store.contacts.find_even_deleted(&world.access, contact.id).await.unwrap().unwrap();
    assert_eq!((read.last_message_at, read.version, read.updated_at), (Some(at(9)), 1, NOW));
    let read = store.conversations.get(&world.access, conversation.id).await.unwrap().unwrap();
    // A new message counts as an update of the conversation, because lists are sorted by that time.
    assert_eq!((read.last_message_at, read.version, read.updated_at), (Some(at(9)), 1, at(9)));
    // An update based on an older reading does not reset the time.
    let mut older = contact;
    older.touch(at(2));
    world.add(Change::Update(Row::Contact(Box::new(older.clone())))).await;
    let read = store.contacts.find_even_deleted(&world.access, older.id).await.unwrap().unwrap();
    assert_eq!((read.last_message_at, read.version), (Some(at(9)), 2));
}

//! Lists with several sorts: each row once, rows without a value last in both orders, ties by ID.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tidings_domain::contacts::{Contact, ContactFilter};
use tidings_domain::conversations::{AssignedTo, Conversation, ConversationFilter};
use tidings_domain::ids::TypedId;
use tidings_domain::list_filter::{FilterFields, NameFilter};
use tidings_domain::pagination::{Position, Sort, SortBy, SortKey, SortedRequest};
use tidings_domain::ports::{Change, ChangeSet, Row};
use tidings_domain::tags::Tag;
use tidings_domain::text::sort_key;
use tidings_domain::{Error, Tidings};
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{NOW, World, a_conversation, at, id};
use crate::lists::walk;

/// Computes the expected order from the contacts.
fn expected(contacts: &[Contact], sort: Sort) -> Vec<Uuid> {
    let mut valued: Vec<_> = contacts.iter().filter(|it| it.sort_key(sort.by).is_some()).collect();
    let mut without: Vec<_> = contacts.iter().filter(|it| !it.sort_key(sort.by).is_some()).collect();
    let key = |it: &Contact| match it.sort_key(sort.by) {
        SortKey::Time(time) => (time.map(|time| time.millis()), None, None),
        SortKey::Text(text) => (None, text, None),
        SortKey::Collated(key) => (None, None, key),
    };
    valued.sort_by_key(|it| (key(it), it.id));
    without.sort_by_key(|it| it.id);
    if sort.descending {
        valued.reverse();
        without.reverse();
    }
    valued.into_iter().chain(without).map(|it| it.id.uuid()).collect()
}

/// Every sort of contacts in both orders, with several page sizes, ties and missing values.
pub async fn every_sort_lists_contacts_without_a_value_last(store: Ports) {
    let world = World::new(&store).await;
    let names = [None, Some("zoë"), Some("Ada"), Some("ada"), Some("Äpfel"), Some("Zoe"), Some("世界"), Some("_x")];
    let mut contacts = Vec::new();
    let mut set = ChangeSet::new(world.workspace);
    for number in 0..40_u64 {
        let mut contact = Contact::new(id(), at(number / 7));
        contact.updated_at = at(100 - number / 5);
        contact.first_name = names[(number % 8) as usize].map(ToOwned::to_owned);
        contact.last_message_at = (number % 3 > 0).then(|| at(50 + number % 4));
        contacts.push(contact.clone());
        set.change(Change::Insert(Row::Contact(Box::new(contact))));
    }
    store.ledger.commit(set).await.unwrap();
    let (access, filter) = (&world.access, ContactFilter::default());
    for by in Contact::SORTS.into_iter().chain([SortBy::FoldedName]) {
        for descending in [false, true] {
            let sort = Sort { by, descending };
            for limit in [1, 7, 40, 100] {
                let walked = walk(sort, limit, async |page| {
                    store.contacts.list(access, &filter, page).await.unwrap().map(|it| it.id.uuid())
                })
                .await;
                assert_eq!(walked, expected(&contacts, sort), "{sort:?} by {limit}");
            }
        }
    }
}

/// A thousand rows with equal values, half of them without a value, while others are created and deleted.
pub async fn lists_a_thousand_ties_once_during_concurrent_changes(store: Ports) {
    let world = World::new(&store).await;
    let mut staying = Vec::new();
    for half in 0..2 {
        let mut set = ChangeSet::new(world.workspace);
        for _ in 0..500 {
            let mut contact = Contact::new(id(), NOW);
            if half == 0 {
                (contact.first_name, contact.last_message_at) = (Some("Ada".to_owned()), Some(NOW));
            }
            staying.push(contact.clone());
            set.change(Change::Insert(Row::Contact(Box::new(contact))));
        }
        store.ledger.commit(set).await.unwrap();
    }
    let done = Arc::new(AtomicBool::new(false));
    let others = {
        let (world, done) = (world.clone(), done.clone());
        tokio::spawn(async move {
            let mut rounds = 0;
            while !done.load(Ordering::SeqCst) {
                rounds += 1;
                // IDs below and above those that stay, with the same name and without one.
                for contact in [TypedId::from_uuid(Uuid::from_u128(rounds)), id()] {
                    let mut contact = Contact::new(contact, NOW);
                    contact.first_name = (rounds % 2 == 0).then(|| "Ada".to_owned());
                    world.add(Change::Insert(Row::Contact(Box::new(contact.clone())))).await;
                    contact.deleted_at = Some(NOW);
                    contact.touch(NOW);
                    world.add(Change::Update(Row::Contact(Box::new(contact)))).await;
                }
            }
        })
    };
    let (access, filter) = (&world.access, ContactFilter::default());
    for by in Contact::SORTS {
        let sort = Sort { by, descending: by != SortBy::Name };
        let mut walked = walk(sort, 100, async |page| {
            store.contacts.list(access, &filter, page).await.unwrap().map(|it| it.id.uuid())
        })
        .await;
        walked.retain(|id| staying.iter().any(|it| it.id.uuid() == *id));
        assert_eq!(walked, expected(&staying, sort), "{sort:?}");
    }
    done.store(true, Ordering::SeqCst);
    others.await.unwrap();
}

/// Conversations by last message and by waiting time, in both orders, with several filters.
pub async fn conversations_without_a_message_come_last(store: Ports) {
    let world = World::new(&store).await;
    let (access, member) = (&world.access, id());
    let mut made = Vec::new();
    for number in 0..20_u64 {
        let contact = world.contact().await;
        let mut it = a_conversation(&contact, &world.channel);
        it.created_at = at(number / 5);
        it.last_message_at = (number % 4 > 0).then(|| at(50 + number % 3));
        it.waiting_since = (number % 3 > 0).then(|| at(80 + number % 4));
        (it.unread_count, it.assignee) = (1, Some(member));
        world.add(Change::Insert(Row::Conversation(it.clone()))).await;
        made.push(it);
    }
    let ordered = |filter: &ConversationFilter, sort: Sort| {
        let place = |it: &Conversation| (it.sort_key(sort.by).time(), it.id);
        let admitted = made.iter().filter(|it| filter.admits(it));
        let (mut valued, mut without): (Vec<_>, Vec<_>) = admitted.partition(|it| place(it).0.is_some());
        for rows in [&mut valued, &mut without] {
            rows.sort_by_key(|it| place(it));
            if sort.descending {
                rows.reverse();
            }
        }
        valued.into_iter().chain(without).map(|it| it.id.uuid()).collect::<Vec<_>>()
    };
    let none = ConversationFilter::default;
    for filter in [
        none(),
        ConversationFilter { unread: Some(true), ..none() },
        ConversationFilter { assigned: Some(AssignedTo::Member(member)), ..none() },
        ConversationFilter { status: Some(made[0].status), ..none() },
        ConversationFilter { waiting: Some(true), ..none() },
        ConversationFilter { waiting: Some(false), ..none() },
        ConversationFilter { waiting: Some(true), status: Some(made[0].status), ..none() },
    ] {
        for by in Conversation::SORTS {
            for descending in [false, true] {
                let sort = Sort { by, descending };
                for limit in [1, 7, 100] {
                    let walked = walk(sort, limit, async |page| {
                        store.conversations.list(access, &filter, page).await.unwrap().map(|it| it.id.uuid())
                    })
                    .await;
                    assert_eq!(walked, ordered(&filter, sort), "{filter:?} {sort:?} by {limit}");
                }
            }
        }
    }
}

/// Names in collation order: by letters, then accents, then case.
const IN_ORDER: [&str; 17] = [
    "_x",
    "10",
    "9",
    "a b",
    "Ada",
    "Álvaro",
    "Arger",
    "Ärger",
    "eclair",
    "Éclair",
    "Lukas",
    "Łukasz",
    "M",
    "strasse",
    "straße",
    "Zoë",
    "Жанна",
];

/// Contacts and tags by name, in both orders, with several page sizes.
pub async fn names_are_sorted_by_the_root_collation(store: Ports) {
    let world = World::new(&store).await;
    let (mut contacts, mut tags) = (Vec::new(), Vec::new());
    // Inserted in another order.
    for place in (0..IN_ORDER.len()).map(|number| number * 5 % IN_ORDER.len()) {
        let name = IN_ORDER[place];
        tags.push((place, world.tag(name).await.id.uuid()));
        let contact = world.contact_with(|it| it.first_name = Some(name.to_owned())).await;
        contacts.push((place, contact.id.uuid()));
    }
    let (everybody, all) = (ContactFilter::default(), NameFilter::default());
    let narrowed = NameFilter::default().containing(Some("a"));
    let has_an_a = |place: usize| narrowed.admits(&FilterFields::named(IN_ORDER[place], None));
    let in_order = |mut rows: Vec<(usize, Uuid)>, descending| {
        rows.sort_unstable();
        if descending {
            rows.reverse();
        }
        rows.into_iter().map(|(_, id)| id).collect::<Vec<_>>()
    };
    for descending in [false, true] {
        let sort = Sort { by: SortBy::Name, descending };
        for limit in [1, 4, 100] {
            let walked = walk(sort, limit, async |page| {
                store.contacts.list(&world.access, &everybody, page).await.unwrap().map(|it| it.id.uuid())
            })
            .await;
            assert_eq!(walked, in_order(contacts.clone(), descending), "contacts, {sort:?} by {limit}");
            let walked = walk(sort, limit, async |page| {
                store.tags.list(&world.access, &all, page).await.unwrap().map(|it| it.id.uuid())
            })
            .await;
            assert_eq!(walked, in_order(tags.clone(), descending), "tags, {sort:?} by {limit}");
            let walked = walk(sort, limit, async |page| {
                store.tags.list(&world.access, &narrowed, page).await.unwrap().map(|it| it.id.uuid())
            })
            .await;
            let some = tags.iter().copied().filter(|(place, _)| has_an_a(*place)).collect();
            assert_eq!(walked, in_order(some, descending), "some tags, {sort:?} by {limit}");
        }
    }
}

/// Tags by the previous sort order: byte by byte of the folded key.
pub async fn tags_are_sorted_by_their_folded_names(store: Ports) {
    let world = World::new(&store).await;
    let mut tags: Vec<Tag> = Vec::new();
    for name in ["b", "A", "ä", "Z z", "zz", "_", "世界", "a b", "10", "9"] {
        tags.push(world.tag(name).await);
    }
    tags.sort_by_key(Tag::name_key);
    let expected: Vec<Uuid> = tags.iter().map(|tag| tag.id.uuid()).collect();
    for limit in [1, 3, 100] {
        for descending in [false, true] {
            let sort = Sort { by: SortBy::FoldedName, descending };
            let mut walked = walk(sort, limit, async |page| {
                store.tags.list(&world.access, &NameFilter::default(), page).await.unwrap().map(|it| it.id.uuid())
            })
            .await;
            if descending {
                walked.reverse();
            }
            assert_eq!(walked, expected, "{sort:?} by {limit}");
        }
    }
}

/// Requests both name sorts, from the start and after a position.
pub async fn names_are_listed_in_both_orders(ports: &Ports, world: &World) {
    let position = |at| Some(Position { at, id: Uuid::from_u128(7) });
    for (by, after) in [
        (SortBy::Name, None),
        (SortBy::Name, position(SortKey::Collated(Some(sort_key("b"))))),
        (SortBy::FoldedName, None),
        (SortBy::FoldedName, position(SortKey::Text(Some("b".to_owned())))),
    ] {
        for descending in [false, true] {
            let request =
                SortedRequest { limit: 25, order: Sort { by, descending }, after: after.clone(), counted: false };
            ports.contacts.list(&world.access, &ContactFilter::default(), request.clone()).await.unwrap();
            ports.tags.list(&world.access, &NameFilter::default(), request).await.unwrap();
        }
    }
}

/// Statements that put the store into the state before an upgrade: without sort keys.
const OF_AN_UPGRADE: [&str; 3] = [
    "UPDATE contacts SET sort_key = NULL, sorted_version = NULL",
    "UPDATE tags SET sort_key = NULL, sorted_version = NULL",
    "DELETE FROM store_marks WHERE name = 'sort_keys'",
];
/// Renames by a process of the previous release.
const OF_THE_RELEASE_BEFORE: [&str; 2] = [
    "UPDATE contacts SET first_name = 'Aaron', name_key = 'aaron', version = version + 1 WHERE first_name = 'Zoë'",
    "UPDATE tags SET name = 'Aaron', name_key = 'aaron', version = version + 1 WHERE name = 'Zoë'",
];

/// For databases: `run` executes a statement. Until all names have sort keys, lists are sorted by folded names; cursors
/// of that sort are rejected afterwards.
pub async fn names_of_an_upgrade_get_their_sort_keys(world: World, run: impl AsyncFn(&str)) {
    for name in ["Zoë", "Álvaro", "Bo"] {
        world.tag(name).await;
        world.contact_with(|it| it.first_name = Some(name.to_owned())).await;
    }
    for statement in OF_AN_UPGRADE {
        run(statement).await;
    }
    let (tidings, access, engine) = (Tidings::new(world.ports.clone()), &world.access, &world.ports.engine);
    let order = Sort { by: SortBy::Name, descending: false };
    let page = |after: Option<Position<SortKey>>| SortedRequest { limit: 1, order, after, counted: false };
    let contacts = async |after| tidings.contacts.list(access, &ContactFilter::default(), page(after)).await;
    let tags = async |after| tidings.tags.list(access, &NameFilter::default(), page(after)).await;
    let each = async || {
        let (mut names, mut after) = (Vec::new(), None);
        loop {
            let page = contacts(after).await.unwrap();
            names.extend(page.items.into_iter().map(|it| it.name().unwrap_or_default()));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let contacts = std::mem::take(&mut names);
        loop {
            let page = tags(after).await.unwrap();
            names.extend(page.items.into_iter().map(|it| it.name));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        (contacts, names)
    };
    let all = async || {
        let (contacts, tags) = each().await;
        assert_eq!(contacts, tags, "contacts and tags");
        contacts
    };
    assert_eq!(all().await, ["Bo", "Zoë", "Álvaro"]);
    let (of_contacts, of_tags) = (contacts(None).await.unwrap().next, tags(None).await.unwrap().next);
    assert_eq!(engine.fill_sort_keys(2).await, Ok(4));
    // Some names have no key yet.
    assert_eq!(contacts(of_contacts.clone()).await.unwrap().items[0].name().as_deref(), Some("Zoë"));
    assert_eq!(tags(of_tags.clone()).await.unwrap().items[0].name, "Zoë");
    assert_eq!(engine.fill_sort_keys(2).await, Ok(2));
    assert_eq!(engine.fill_sort_keys(2).await, Ok(0));
    assert_eq!(contacts(of_contacts.clone()).await, Err(Error::InvalidCursor));
    assert_eq!(tags(of_tags.clone()).await, Err(Error::InvalidCursor));
    assert_eq!(all().await, ["Álvaro", "Bo", "Zoë"]);
    for statement in OF_THE_RELEASE_BEFORE {
        run(statement).await;
    }
    // The old key is used until the next fill.
    assert_eq!(all().await, ["Álvaro", "Bo", "Aaron"]);
    assert_eq!(engine.fill_sort_keys(2).await, Ok(2));
    assert_eq!(all().await, ["Aaron", "Álvaro", "Bo"]);
    for statement in &OF_AN_UPGRADE[..2] {
        run(&format!("{statement} WHERE name_key = 'aaron'")).await;
    }
    // Created by the previous release: at the end.
    assert_eq!(all().await, ["Álvaro", "Bo", "Aaron"]);
    for statement in &OF_AN_UPGRADE[..2] {
        run(&format!("{statement} WHERE name_key <> 'aaron'")).await;
    }
    let (contacts, tags) = each().await;
    for mut names in [contacts, tags] {
        names.sort();
        assert_eq!(names, ["Aaron", "Bo", "Álvaro"], "each name is returned once");
    }
}

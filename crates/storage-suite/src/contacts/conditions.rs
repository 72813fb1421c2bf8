//! Conditions: a store selects exactly the contacts that match the condition.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher, RandomState};

use serde_json::{Value, json};
use tidings_domain::conditions::{Condition, Facts, Mentions, Vocabulary, vocabulary_for};
use tidings_domain::contacts::{
    AvatarUrl, Contact, ContactFilter, ContactRef, ContactStatus, Email, ExternalId, Locale, Phone, TimeZone,
};
use tidings_domain::conversations::{Conversation, ConversationStatus, Handler};
use tidings_domain::fields::{CustomField, FieldKind, FieldValue};
use tidings_domain::ids::{ContactId, UserId};
use tidings_domain::pagination::{Sort, SortBy, SortedRequest};
use tidings_domain::ports::{Change, FieldChange, Object, Row, TagChange};
use tidings_domain::send_window::Tz;
use tidings_domain::stored::{StoredId, StoredRow};
use tidings_domain::text::fold;

use self::material::*;
use crate::Ports;
use crate::fixtures::{NOW, World, a_bot_field, a_channel, a_field, at, id};

mod material;

const OLDEST_FIRST: Sort = Sort { by: SortBy::CreatedAt, descending: false };

const CONTACTS: usize = 60;
const CONDITIONS: usize = 400;
/// Time zones far apart, and an invalid name.
const ZONES: [&str; 7] =
    ["Europe/Berlin", "Etc/GMT+1", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kolkata", "UTC", "Mars/Base"];
/// The first second at which a condition is evaluated.
const DAY: u64 = 86_400;

/// The stored objects, and the names that conditions may use.
struct Setup {
    contacts: Vec<Contact>,
    conversations: BTreeMap<ContactId, Vec<Conversation>>,
    vocabulary: Vocabulary,
    assignees: Vec<UserId>,
}

/// Returns a random comparison that is valid.
fn a_leaf(random: &mut Random, setup: &Setup) -> Value {
    let fields = fields();
    let (field, kind) = random.pick(&fields);
    let op = *random.pick(operators(kind));
    let one = |random: &mut Random| match *kind {
        "id" => json!(random.pick(&setup.contacts).id),
        "assignee" => json!(random.pick(&setup.assignees)),
        "status" => json!(random.pick(&ContactStatus::WORDS)),
        "conversation status" => json!(random.pick(ConversationStatus::WORDS)),
        "handler" => json!(random.pick(Handler::WORDS)),
        "tags" => json!(random.pick(&["vip", "LATE", "Größe"])),
        "multi_select" => json!(random.pick(&OPTIONS)),
        // Stored values are used more often than others.
        "text" if random.once_in(2) => {
            let contact = random.pick(&setup.contacts);
            json!(contact.name().or(contact.external_id.as_ref().map(ToString::to_string)).unwrap_or_default())
        }
        kind => a_value(random, FieldKind::parse(kind).unwrap()),
    };
    let part = |random: &mut Random| loop {
        let pool = texts();
        let of = match *kind {
            "email" => "@EXAMPLE.com".to_owned(),
            "phone" => (*random.pick(&["+49 30", "1234", "0100", "+1"])).to_owned(),
            "url" => (*random.pick(&["HTTPS://a", "%c3", "a_", "q=1%25", "."])).to_owned(),
            _ => random.pick(&pool).clone(),
        };
        let characters: Vec<char> = of.chars().collect();
        if characters.is_empty() {
            continue;
        }
        let (from, length) = (random.below(characters.len()), 1 + random.below(200));
        let part: String = characters[from..].iter().take(length).collect();
        let blank = fold(&part.replace([' ', '.', '-', '(', ')', '/'], "")).is_empty();
        if !blank {
            return json!(part);
        }
    };
    let mut written = json!({ "field": field, "op": op });
    let value = match op {
        "exists" | "not_exists" => return written,
        "in" | "not_in" => (0..=random.below(4)).map(|_| one(random)).collect(),
        "contains" | "starts_with" => part(random),
        "within_last" => json!(random.pick(&["PT0S", "PT1H", "P1D", "P2D", "P3660D"])),
        "between" => {
            let ends = [one(random), one(random)];
            let key = |end: &Value| FieldValue::from_store(end.clone()).match_key;
            if key(&ends[0]) <= key(&ends[1]) { json!(ends) } else { json!([ends[1], ends[0]]) }
        }
        _ => one(random),
    };
    written["value"] = value;
    written
}

fn a_condition(random: &mut Random, setup: &Setup, depth: usize) -> Value {
    if depth >= 5 || random.below(depth + 2) > 0 {
        return a_leaf(random, setup);
    }
    match random.below(3) {
        0 => json!({ "not": a_condition(random, setup, depth + 1) }),
        group => {
            let branches: Vec<Value> = (0..random.below(4)).map(|_| a_condition(random, setup, depth + 1)).collect();
            if group == 1 { json!({ "all": branches }) } else { json!({ "any": branches }) }
        }
    }
}

fn a_contact(random: &mut Random, number: usize) -> Contact {
    let texts = texts();
    let mut it = Contact::new(id(), *random.pick(&instants()));
    it.external_id = maybe(random, |random| ExternalId::from_store(format!("{}{number}", random.pick(&texts))));
    it.first_name = maybe(random, |random| random.pick(&texts).clone());
    it.last_name = maybe(random, |random| random.pick(&texts).clone());
    it.email = maybe(random, |random| {
        let name = *random.pick(&["ada", "äda", "a_b"]);
        Email::from_store(format!("{name}{number}@example.com"))
    });
    it.phone = maybe(random, |_| Phone::from_store(format!("+4930123{number:04}")));
    it.locale = maybe(random, |random| Locale::from_store((*random.pick(&["pt-BR", "PT", "en"])).to_owned()));
    it.time_zone = maybe(random, |random| TimeZone::from_store((*random.pick(&ZONES)).to_owned()));
    it.avatar_url = maybe(random, |_| AvatarUrl::from_store("https://example.com/ada.png".to_owned()));
    it.status = if random.once_in(3) { ContactStatus::Blocked } else { ContactStatus::Active };
    it.subscribed = random.once_in(2);
    it.last_message_at = maybe(random, |random| *random.pick(&instants()));
    it.updated_at = *random.pick(&instants());
    it
}

fn a_conversation(
    random: &mut Random,
    contact: &Contact,
    channel: usize,
    setup: &[UserId],
    world: &World,
) -> Conversation {
    let mut it = Conversation::new(id(), contact.id, world.channel.id, NOW);
    it.status = ConversationStatus::parse(random.pick::<&str>(ConversationStatus::WORDS)).unwrap();
    it.handler = Handler::parse(random.pick::<&str>(Handler::WORDS)).unwrap();
    (it.unread_count, it.reopen_count) = (*random.pick(&[0, 1, 9, 18]), i64::try_from(channel).unwrap());
    it.last_message_at = maybe(random, |random| *random.pick(&instants()));
    it.waiting_since = maybe(random, |random| *random.pick(&instants()));
    it.resolved_at = maybe(random, |random| *random.pick(&instants()));
    it.assignee = maybe(random, |random| *random.pick(setup));
    it
}

async fn set_up(store: &Ports, random: &mut Random) -> (World, Setup) {
    let world = World::new(store).await;
    let other = tidings_domain::channels::Channel { is_default: false, ..a_channel() };
    world.add(Change::Insert(Row::Channel(other.clone()))).await;
    let mut customs: Vec<CustomField> = Vec::new();
    for kind in FieldKind::WORDS {
        let mut field = a_field(kind, FieldKind::parse(kind).unwrap());
        field.options = OPTIONS.map(str::to_owned).into();
        world.add(Change::Insert(Row::Stored(StoredRow::CustomField(field.clone())))).await;
        customs.push(field);
    }
    let mut limit = a_bot_field("limit");
    (limit.kind, limit.value) = (FieldKind::Number, Some(json!(18)));
    world.add(Change::Insert(Row::Stored(StoredRow::BotField(limit)))).await;
    world.add(Change::Insert(Row::Stored(StoredRow::BotField(a_bot_field("empty"))))).await;
    let tags = [world.tag("VIP").await, world.tag("late").await, world.tag("GRÖße").await, world.tag("gone").await];
    let assignees: Vec<UserId> = (0..3).map(|_| id()).collect();
    let mut conversations: BTreeMap<ContactId, Vec<Conversation>> = BTreeMap::new();
    for number in 0..CONTACTS {
        let contact = a_contact(random, number);
        let talks = conversations.entry(contact.id).or_default();
        let mut changes = vec![Change::Insert(Row::Contact(Box::new(contact.clone())))];
        for tag in tags.iter().filter(|_| random.once_in(3)) {
            changes.push(Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: NOW }));
        }
        for field in &customs {
            if random.once_in(3) {
                continue;
            }
            let value = FieldValue::from_store(a_value(random, field.kind));
            changes.push(Change::Field(FieldChange::PutValue { contact: contact.id, field: field.id, value }));
        }
        for (place, channel) in [world.channel.id, other.id].into_iter().enumerate() {
            if random.once_in(2) {
                let it = a_conversation(random, &contact, place, &assignees, &world);
                talks.push(Conversation { channel, ..it });
            }
        }
        changes.extend(talks.iter().cloned().map(Row::Conversation).map(Change::Insert));
        world.commit(|set| set.changes.extend(changes)).await.expect("a contact");
    }
    world.add(Change::Delete(Object::Stored(StoredId::Tag(tags[3].id)))).await;

    let page = SortedRequest { limit: 100, order: OLDEST_FIRST, ..SortedRequest::default() };
    let contacts = store.contacts.list(&world.access, &ContactFilter::default(), page).await.unwrap().items;
    assert_eq!(contacts.len(), CONTACTS);
    let named = json!({ "field": "tags", "op": "in", "value": ["vip", "late", "größe"] });
    let vocabulary =
        vocabulary_for(&world.access, &*store.fields, &*store.tags, &Mentions::of([&named])).await.unwrap();
    (world, Setup { contacts, conversations, vocabulary, assignees })
}

/// Random conditions over random contacts; `CONDITIONS_SEED` repeats a run.
pub async fn selects_exactly_the_contacts_that_match_a_condition(store: Ports) {
    let given = std::env::var("CONDITIONS_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let mut random = Random(seed);
    let (world, setup) = set_up(&store, &mut random).await;
    let bot_fields = setup.vocabulary.bot_values();
    let mut chosen_at_all = 0;
    for _ in 0..CONDITIONS {
        let written = a_condition(&mut random, &setup, 1);
        let zone: Tz = random.pick(&ZONES[..6]).parse().unwrap();
        let now = at(DAY + random.next() % DAY);
        let condition = Condition::parse(&written, &setup.vocabulary)
            .unwrap_or_else(|wrong| panic!("CONDITIONS_SEED={seed}: {written}: {wrong:?}"));
        let held = setup.contacts.iter().filter(|contact| {
            let conversations = setup.conversations.get(&contact.id).map(Vec::as_slice).unwrap_or_default();
            let facts = Facts { contact, conversations, bot_fields: &bot_fields, vars: None, event: None, now, zone };
            condition.holds(&facts)
        });
        let held: BTreeSet<ContactId> = held.map(|contact| contact.id).collect();
        let filter =
            ContactFilter { selection: Some(condition.selection(&bot_fields, now, zone)), ..ContactFilter::default() };
        let page = SortedRequest { limit: 100, order: OLDEST_FIRST, ..SortedRequest::default() };
        let chosen = store.contacts.list(&world.access, &filter, page).await;
        let chosen = chosen.unwrap_or_else(|error| panic!("CONDITIONS_SEED={seed}: {written}: {error}"));
        let chosen: BTreeSet<ContactId> = chosen.items.iter().map(|contact| contact.id).collect();
        if let Some(first) = held.symmetric_difference(&chosen).next() {
            let contact = setup.contacts.iter().find(|contact| contact.id == *first);
            let talks = setup.conversations.get(first);
            panic!(
                "CONDITIONS_SEED={seed}: {written}\nholds: {}, chosen: {}, of {contact:#?}\n{talks:#?}",
                held.contains(first),
                chosen.contains(first)
            );
        }
        chosen_at_all += usize::from(!held.is_empty() && held.len() < CONTACTS);
    }
    assert!(
        chosen_at_all > CONDITIONS / 4,
        "CONDITIONS_SEED={seed}: only {chosen_at_all} conditions match some contacts but not all"
    );
}

/// The contacts of a condition are listed in the same pages as a list.
pub async fn lists_the_contacts_of_a_condition_in_pages(store: Ports) {
    let world = World::new(&store).await;
    let mut wanted = Vec::new();
    for number in 0..7 {
        let contact = world
            .contact_with(|it| {
                it.first_name = Some(if number % 2 == 0 { "Ada" } else { "Eve" }.to_owned());
                it.created_at = at(number);
            })
            .await;
        if number % 2 == 0 {
            wanted.push(contact.id);
        }
    }
    let vocabulary = Vocabulary::default();
    let written = json!({ "field": "first_name", "op": "eq", "value": "ADA" });
    let condition = Condition::parse(&written, &vocabulary).unwrap();
    let selection = Some(condition.selection(&vocabulary.bot_values(), NOW, Tz::UTC));
    let filter = ContactFilter { selection, ..ContactFilter::default() };
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = SortedRequest { limit: 3, order: OLDEST_FIRST, after, counted: false };
        let page = store.contacts.list(&world.access, &filter, page).await.unwrap();
        seen.extend(page.items.iter().map(|contact| contact.id));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(seen, wanted);
}

/// An address that was stored before normalization keeps its key when its contact is updated, and is found.
pub async fn an_update_keeps_an_earlier_key_of_an_address(store: Ports) {
    let world = World::new(&store).await;
    let stored = Email::stored("ada@xn--mnchen-3ya.de".to_owned(), Some("ada@münchen.de".to_owned()));
    let contact = world.contact_with(|it| it.email = Some(stored.clone())).await;
    let after = Contact { version: contact.version + 1, first_name: Some("Ada".to_owned()), ..contact.clone() };
    world.add(Change::Update(Row::Contact(Box::new(after)))).await;
    let found = store.contacts.find(&world.access, &ContactRef::Id(contact.id)).await.unwrap().unwrap();
    assert_eq!((found.first_name.as_deref(), found.email), (Some("Ada"), Some(stored)));
}

//! Random requests about contacts, tags, fields and flows. The in-memory store, SQLite and PostgreSQL return the same
//! answers.
//!
//! A failure prints its seed. `TIDINGS_SEED=… cargo test -p tidings-storage --test model` repeats it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::fmt::Debug;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tidings_domain::Tidings;
use tidings_domain::access::Access;
use tidings_domain::contacts::{ContactPatch, ContactRef, Email, NewContact, NewTag, TagRef};
use tidings_domain::fields::{FieldKind, FieldRef, NewCustomField, Rules};
use tidings_domain::flows::NewFlow;
use tidings_domain::ids::{ContactId, FieldId, FlowId, TagId, TypedId};
use tidings_domain::memory::{CountingIds, FixedClock, MemoryStore};
use tidings_domain::outcome::ExpectedVersion;
use tidings_domain::patch::Patch;
use tidings_domain::ports::{Change, ChangeSet, Clock, Row};
use tidings_domain::references::Deletion;
use tidings_domain::tags::{NewTagCommand, TagPatch};
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::{PostgresDatabase, SqliteFile};
use tidings_storage_suite::fixtures::World;

const STEPS: usize = 120;

#[derive(Debug, Clone)]
enum Request {
    CreateTag(String),
    RenameTag(TagId, String),
    DeleteTag(TagId, Deletion),
    CreateContact(Option<Email>),
    ChangeEmail(ContactId, Option<Email>),
    DeleteContact(ContactId),
    RestoreContact(ContactId),
    AddTag(ContactId, TagRef),
    RemoveTag(ContactId, TagId),
    CreateField(String),
    DeleteField(FieldId, Deletion),
    SetField(ContactId, FieldId, Value),
    CreateFlow(String),
    DeleteFlow(FlowId, Deletion),
}

struct Dice(u64);

impl Dice {
    /// Returns a number below `sides` (Marsaglia's xorshift).
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    /// Returns a known or an unknown ID. IDs of all types are counted from one.
    fn id<I: TypedId>(&mut self, given_out: u64) -> I {
        I::from_uuid(uuid::Uuid::from_u128(u128::from(self.roll(given_out + 2))))
    }

    /// Returns the ID of a created object, or any ID.
    fn one_of<I: TypedId>(&mut self, made: &[I], given_out: u64) -> I {
        match self.roll(made.len() as u64 + 1) as usize {
            0 => self.id(given_out),
            place => made[place - 1],
        }
    }

    fn word(&mut self) -> String {
        ["vip", "VIP", "Straße", "strasse", "a_b"][self.roll(5) as usize].to_owned()
    }

    fn email(&mut self) -> Option<Email> {
        let name = self.roll(5);
        (name > 0).then(|| Email::from_store(format!("zoe-{name}@example.com")))
    }

    fn deletion(&mut self) -> Deletion {
        if self.roll(2) == 0 { Deletion::IfUnused } else { Deletion::ByForce }
    }
}

#[derive(Default)]
struct Made {
    tags: Vec<TagId>,
    contacts: Vec<ContactId>,
    fields: Vec<FieldId>,
    flows: Vec<FlowId>,
    /// Upper bound of the number of generated IDs.
    ids: u64,
}

/// Returns the first requests of each sequence. Without them, one random sequence in 500 creates no field.
fn first_requests() -> Vec<Request> {
    let mut first = vec![Request::CreateTag("vip".to_owned()), Request::CreateField("size".to_owned())];
    first.extend((0..4).map(|_| Request::CreateContact(None)));
    first
}

fn request(dice: &mut Dice, made: &Made) -> Request {
    let contact = dice.one_of(&made.contacts, made.ids);
    let tag = dice.one_of(&made.tags, made.ids);
    let field = dice.one_of(&made.fields, made.ids);
    match dice.roll(20) {
        0 | 1 => Request::CreateTag(dice.word()),
        2 => Request::RenameTag(tag, dice.word()),
        3 => Request::DeleteTag(tag, dice.deletion()),
        4..=6 => Request::CreateContact(dice.email()),
        7 | 8 => Request::ChangeEmail(contact, dice.email()),
        9 => Request::DeleteContact(contact),
        10 => Request::RestoreContact(contact),
        11 | 12 => Request::AddTag(contact, TagRef::Id(tag)),
        13 => Request::AddTag(contact, TagRef::Name(dice.word())),
        14 => Request::RemoveTag(contact, tag),
        15 => Request::CreateField(["size", "colour"][dice.roll(2) as usize].to_owned()),
        16 => Request::DeleteField(field, dice.deletion()),
        17 => {
            let value = [json!("XL"), json!(null), json!(7)][dice.roll(3) as usize].clone();
            Request::SetField(contact, field, value)
        }
        18 => Request::CreateFlow(dice.word()),
        _ => Request::DeleteFlow(dice.one_of(&made.flows, made.ids), dice.deletion()),
    }
}

struct Subject {
    access: Access,
    clock: Arc<FixedClock>,
    tidings: Tidings,
}

impl Subject {
    fn new(ports: &Ports, access: Access) -> Self {
        let clock = Arc::new(FixedClock::default());
        let ports = Ports { clock: clock.clone(), ids: Arc::new(CountingIds::default()), ..ports.clone() };
        Self { tidings: Tidings::new(ports), access, clock }
    }

    async fn ask(&self, request: Request) -> String {
        self.clock.set(self.clock.now().plus(Duration::from_secs(1)));
        let (access, any) = (&self.access, &ExpectedVersion::Any);
        match request {
            Request::CreateTag(name) => {
                let command = NewTagCommand { name, color: None, description: None };
                told(self.tidings.tags.create(access, command, None).await)
            }
            Request::RenameTag(tag, name) => {
                let patch = TagPatch { name: Some(name), ..TagPatch::default() };
                told(self.tidings.tags.update(access, tag, patch, any).await)
            }
            Request::DeleteTag(tag, deletion) => told(self.tidings.tags.delete(access, tag, deletion, any).await),
            Request::CreateContact(email) => {
                told(self.tidings.contacts.create(access, NewContact { email, ..NewContact::default() }, None).await)
            }
            Request::ChangeEmail(contact, email) => {
                let patch = ContactPatch { email: email.map_or(Patch::Clear, Patch::Set), ..ContactPatch::default() };
                told(self.tidings.contacts.update(access, &ContactRef::Id(contact), patch, any).await)
            }
            Request::DeleteContact(contact) => {
                told(self.tidings.contacts.delete(access, &ContactRef::Id(contact), any).await)
            }
            Request::RestoreContact(contact) => told(self.tidings.contacts.restore(access, contact, any, None).await),
            Request::AddTag(contact, tag) => {
                let tag = NewTag { tag, pointer: "/tag".to_owned() };
                told(self.tidings.contacts.add_tag(access, &ContactRef::Id(contact), tag, any, None).await)
            }
            Request::RemoveTag(contact, tag) => {
                told(self.tidings.contacts.remove_tag(access, &ContactRef::Id(contact), &TagRef::Id(tag), any).await)
            }
            Request::CreateField(name) => {
                let (kind, options, rules) = (FieldKind::Text, Vec::new(), Rules::default());
                let command = NewCustomField { key: None, name, kind, options, rules };
                told(self.tidings.fields.create(access, command, None).await)
            }
            Request::DeleteField(field, deletion) => {
                told(self.tidings.fields.delete(access, &FieldRef::Id(field), deletion, any).await)
            }
            Request::SetField(contact, field, value) => {
                let contact = ContactRef::Id(contact);
                told(self.tidings.contacts.set_field(access, &contact, &FieldRef::Id(field), &value, any, None).await)
            }
            Request::CreateFlow(name) => {
                told(self.tidings.flows.create(access, NewFlow { name, definition: json!({"nodes": []}) }, None).await)
            }
            Request::DeleteFlow(flow, deletion) => told(self.tidings.flows.delete(access, flow, deletion, any).await),
        }
    }

    async fn look(&self, made: &Made) -> Vec<String> {
        let access = &self.access;
        let mut all = vec![
            told(self.tidings.ports.tags.list(access, &Default::default(), Default::default()).await),
            told(self.tidings.ports.fields.all(access).await),
            told(self.tidings.ports.flows.list(access, &Default::default(), Default::default()).await),
        ];
        for contact in &made.contacts {
            all.push(told(self.tidings.ports.contacts.find_even_deleted(access, *contact).await));
        }
        all
    }
}

fn told<T: Debug, E: Debug>(answer: Result<T, E>) -> String {
    format!("{answer:?}")
}

fn note(made: &mut Made, request: &Request, answer: &str) {
    made.ids += 6;
    let id = answer.strip_prefix("Ok(Done { outcome: Created").and_then(|rest| {
        let (_, rest) = rest.split_once("id: ")?;
        let end = rest.find([',', ' ', '}'])?;
        Some(rest[..end].to_owned())
    });
    let Some(id) = id else { return };
    match request {
        Request::CreateTag(_) => made.tags.extend(id.parse::<TagId>()),
        Request::CreateContact(_) => made.contacts.extend(id.parse::<ContactId>()),
        Request::CreateField(_) => made.fields.extend(id.parse::<FieldId>()),
        Request::CreateFlow(_) => made.flows.extend(id.parse::<FlowId>()),
        _ => {}
    }
}

async fn all_answer_the_same(seed: u64) {
    let (file, database) = (SqliteFile::new(), PostgresDatabase::new().await);
    let mut stores = vec![Ports::of(Arc::new(MemoryStore::default()))];
    for url in [file.url(), database.url()] {
        let storage = Storage::open(&StorageSettings::new(url)).await.unwrap();
        storage.migrate().await.unwrap();
        stores.push(Ports::of(storage));
    }
    let world = World::new(&stores[0]).await;
    let workspace = stores[0].access.workspace(world.workspace).await.unwrap().unwrap();
    for store in &stores[1..] {
        let mut set = ChangeSet::new(world.workspace);
        set.change(Change::Insert(Row::Workspace(workspace.clone())))
            .change(Change::Insert(Row::Channel(world.channel.clone())));
        store.ledger.commit(set).await.unwrap();
    }
    let subjects: Vec<_> = stores.iter().map(|ports| Subject::new(ports, world.access.clone())).collect();
    let (mut dice, mut made) = (Dice(seed.max(1)), Made::default());
    let mut first = first_requests().into_iter();
    for step in 0..STEPS {
        let asked = first.next().unwrap_or_else(|| request(&mut dice, &made));
        let expected = subjects[0].ask(asked.clone()).await;
        for (subject, name) in subjects[1..].iter().zip(["SQLite", "PostgreSQL"]) {
            let answer = subject.ask(asked.clone()).await;
            assert_eq!(answer, expected, "{name}, TIDINGS_SEED={seed}, step {step}: {asked:?}");
        }
        note(&mut made, &asked, &expected);
    }
    assert!(
        made.contacts.len() > 3 && !made.tags.is_empty() && !made.fields.is_empty(),
        "the sequence of changes must create enough objects"
    );
    let expected = subjects[0].look(&made).await;
    for (subject, name) in subjects[1..].iter().zip(["SQLite", "PostgreSQL"]) {
        for (found, expected) in subject.look(&made).await.iter().zip(&expected) {
            assert_eq!(found, expected, "{name}, TIDINGS_SEED={seed}, at the end");
        }
    }
}

#[tokio::test]
async fn stores_agree_on_a_fixed_seed() {
    all_answer_the_same(7).await;
}

#[tokio::test]
async fn stores_agree_on_a_random_seed() {
    let seed = std::env::var("TIDINGS_SEED").ok().and_then(|seed| seed.parse().ok());
    all_answer_the_same(seed.unwrap_or_else(|| RandomState::new().hash_one(()))).await;
}

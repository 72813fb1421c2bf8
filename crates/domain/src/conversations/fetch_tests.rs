//! Files of the provider are fetched, retried, and marked as failed.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;
use serde_json::{Value, json};

use super::*;
use crate::access::storage_usage::StoredLimits;
use crate::channels::{ChannelType, Connector, Connectors, Outbound, SANDBOX, SendOutcome};
use crate::conversations::{MessageType, MessageView};
use crate::media::MediaType;
use crate::memory::{FixedClock, MemoryFiles, MemoryStore};
use crate::ports::{Clock, Environment, Ledger, Object};
use crate::testing::{an_inbound_message, new_workspace};
use crate::{Tidings, TidingsSettings};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

type Answer = Result<FetchedMedia, FetchFailure>;

/// Answers each request for a file with the next answer, and keeps the references.
struct Provider {
    answers: Mutex<VecDeque<Answer>>,
    asked: Mutex<Vec<String>>,
    /// The change set that is committed while the provider answers.
    meanwhile: Mutex<Option<(Arc<dyn Ledger>, ChangeSet)>>,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    async fn fetch_media(&self, _: &Channel, reference: &str, _: u64) -> Answer {
        self.asked.lock().unwrap().push(reference.to_owned());
        let meanwhile = self.meanwhile.lock().unwrap().take();
        if let Some((ledger, set)) = meanwhile {
            ledger.commit(set).await.unwrap();
        }
        self.answers.lock().unwrap().pop_front().expect("a prepared answer")
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Accepted { provider_message_id: None }
    }
}

struct World {
    tidings: Tidings,
    access: Access,
    provider: Arc<Provider>,
    files: Arc<MemoryFiles>,
    clock: Arc<FixedClock>,
}

impl World {
    fn new(answers: Vec<Answer>) -> Self {
        Self::with(answers, MediaLimits::default())
    }

    fn with(answers: Vec<Answer>, media: MediaLimits) -> Self {
        let clock = Arc::new(FixedClock::default());
        let (asked, meanwhile) = (Mutex::default(), Mutex::default());
        let provider = Arc::new(Provider { answers: Mutex::new(answers.into()), asked, meanwhile });
        let connectors = Connectors::one(provider.clone());
        let files = Arc::new(MemoryFiles::new(clock.clone()));
        let media_files = files.clone();
        let environment = Environment { connectors, media_files, ..Environment::plain(clock.clone()) };
        let settings = TidingsSettings { media, ..TidingsSettings::default() };
        let tidings = Tidings::with(Ports::over(Arc::new(MemoryStore::new()), environment), settings);
        let access = new_workspace(&tidings.ports);
        Self { tidings, access, provider, files, clock }
    }

    /// Receives a message with files that the provider keeps.
    fn receive(&self, references: &[&str]) -> Message {
        let attachment = |it: &&str| Attachment { url: format!("provider:{it}"), name: None, mime_type: None };
        self.receive_files(references.iter().map(attachment).collect())
    }

    fn receive_files(&self, attachments: Vec<Attachment>) -> Message {
        let message = an_inbound_message("m1", "ada", Content { attachments, ..Content::of(MessageType::Image) });
        let channel = block_on(self.tidings.ports.channels.default_channel(&self.access)).unwrap().unwrap();
        block_on(self.tidings.inbound.receive(&self.access, &channel, message)).unwrap().value
    }

    /// Runs the due jobs. Returns the status and the error of each attachment afterwards.
    fn run(&self, message: &Message) -> Vec<(Value, Value)> {
        block_on(self.tidings.run_due(self.clock.now())).unwrap();
        shown(&self.message(message))
    }

    fn message(&self, message: &Message) -> Message {
        block_on(self.tidings.conversations.message(&self.access, message.id)).unwrap()
    }
}

fn shown(message: &Message) -> Vec<(Value, Value)> {
    let view = serde_json::to_value(MessageView::from(message)).unwrap();
    let attachments = view["attachments"].as_array().unwrap().iter();
    attachments.map(|it| (it["status"].clone(), it["error"].clone())).collect()
}

fn a_picture() -> Answer {
    Ok(FetchedMedia {
        bytes: PNG.to_vec(),
        mime_type: Some("text/html".to_owned()),
        name: Some("../cat.png".to_owned()),
    })
}

#[test]
fn files_become_media_of_the_contact() {
    let world =
        World::new(vec![a_picture(), Err(FetchFailure::Gone("expired".to_owned())), Err(FetchFailure::TooLarge)]);
    let message = world.receive(&["a:1", "b", "c"]);
    assert_eq!(shown(&message), vec![(json!("pending"), Value::Null); 3]);
    let promised = message.content.attachments[0].pending().unwrap().0;
    let failed = |code: &str| (json!("failed"), json!(code));
    let ids: Vec<MediaId> = message.content.attachments.iter().map(|it| it.pending().unwrap().0).collect();
    let pending = |access: &Access| {
        let is_pending = |id: &MediaId| block_on(world.tidings.conversations.is_file_pending(access, *id)).unwrap();
        ids.iter().map(is_pending).collect::<Vec<_>>()
    };
    assert_eq!(pending(&world.access), [true, true, true]);
    let other = new_workspace(&world.tidings.ports);
    assert_eq!(pending(&other), [false, false, false], "it belongs to another workspace");
    assert_eq!(world.run(&message), [(Value::Null, Value::Null), failed("gone"), failed("too_large")]);
    assert_eq!(*world.provider.asked.lock().unwrap(), ["a:1", "b", "c"]);
    assert_eq!(pending(&world.access), [false, false, false]);

    let stored = world.message(&message);
    let first = &stored.content.attachments[0];
    assert_eq!((first.media(), first.name.as_deref()), (Some(promised), Some("cat.png")));
    assert_eq!(first.mime_type.as_deref(), Some("image/png"), "the type of the content");
    let media = block_on(world.tidings.media.get(&world.access, promised)).unwrap();
    assert_eq!(media.used_by, MediaUse::Contact(message.contact));
    assert_eq!(block_on(world.tidings.media.read(&world.access, promised, 0, 99)), Ok(PNG.to_vec()));
}

#[test]
fn a_file_keeps_the_name_of_its_message() {
    let archive = FetchedMedia { bytes: b"PK\x03\x04".to_vec(), mime_type: None, name: Some("file_7".to_owned()) };
    let world = World::new(vec![Ok(archive)]);
    let named = Attachment { url: "provider:a".to_owned(), name: Some("Bill.docx".to_owned()), mime_type: None };
    let message = world.receive_files(vec![named]);
    assert_eq!(world.run(&message), [(Value::Null, Value::Null)]);
    let id = world.message(&message).content.attachments[0].media().unwrap();
    let media = block_on(world.tidings.media.get(&world.access, id)).unwrap();
    // The type of an archive depends on its name.
    assert_eq!((media.name.as_str(), media.media_type), ("Bill.docx", MediaType::Docx));
}

#[test]
fn a_file_without_room_is_not_stored() {
    assert_eq!(PNG.len(), 8);
    let full = || (json!("failed"), json!("media_quota"));
    // Three quarters of 10, rounded up, and of 12: one file fits, and one byte more.
    for (limit, asked) in [(10, vec!["a"]), (12, vec!["a", "b"])] {
        let total = StoredLimits { pro: limit, ..StoredLimits::default() };
        let limits = MediaLimits { total, ..MediaLimits::default() };
        let world = World::with(vec![a_picture(), a_picture()], limits);
        let message = world.receive(&["a", "b"]);
        assert_eq!(world.run(&message), [(Value::Null, Value::Null), full()], "{limit}");
        assert_eq!(*world.provider.asked.lock().unwrap(), asked, "{limit}");
        assert_eq!(world.files.places().len(), 1, "{limit}");
    }
}

#[test]
fn an_unavailable_provider_is_asked_again() {
    let later = || Err(FetchFailure::Retry("503".to_owned()));
    let world = World::new(vec![later(), a_picture()]);
    let message = world.receive(&["a"]);
    assert_eq!(world.run(&message), [(json!("pending"), Value::Null)]);
    world.clock.set(world.clock.now().plus(Duration::from_secs(3_600)));
    assert_eq!(world.run(&message), [(Value::Null, Value::Null)]);
    assert_eq!(world.provider.asked.lock().unwrap().len(), 2);
}

#[test]
fn gives_up_after_the_last_attempt() {
    let later = || Err(FetchFailure::Retry("503".to_owned()));
    let world = World::new((0..MAX_ATTEMPTS).map(|_| later()).collect());
    let message = world.receive(&["a"]);
    for _ in 1..MAX_ATTEMPTS {
        assert_eq!(world.run(&message), [(json!("pending"), Value::Null)]);
        world.clock.set(world.clock.now().plus(Duration::from_secs(7 * 3_600)));
    }
    assert_eq!(world.run(&message), [(json!("failed"), json!("unavailable"))]);
}

#[test]
fn a_message_that_is_erased_during_the_fetch_leaves_no_bytes() {
    let world = World::new(vec![a_picture()]);
    let message = world.receive(&["a"]);
    let mut erasure = ChangeSet::new(world.access.workspace());
    erasure.change(Change::Delete(Object::Message(message.id)));
    *world.provider.meanwhile.lock().unwrap() = Some((world.tidings.ports.ledger.clone(), erasure));
    block_on(world.tidings.run_due(world.clock.now())).unwrap();
    assert_eq!(world.provider.asked.lock().unwrap().len(), 1);
    assert_eq!(world.files.places(), []);
    assert_eq!(block_on(world.tidings.next_due()), Ok(None), "the job is done");
}

#[test]
fn fetches_few_files_of_a_workspace_at_once() {
    let world = World::new(vec![a_picture()]);
    let message = world.receive(&["a"]);
    let fetcher = MediaFetcher { ports: world.tidings.ports.clone() };
    let others: Vec<Turn> = (0..AT_ONCE).map(|_| fetcher.turn(&world.access).unwrap()).collect();
    assert!(fetcher.turn(&world.access).is_none());
    assert_eq!(world.run(&message), [(json!("pending"), Value::Null)]);
    assert!(world.provider.asked.lock().unwrap().is_empty());
    drop(others);
    let due_at = block_on(world.tidings.next_due()).unwrap().unwrap();
    world.clock.set(due_at);
    assert_eq!(world.run(&message), [(Value::Null, Value::Null)]);
}

#[test]
fn a_message_without_files_needs_no_job() {
    let world = World::new(Vec::new());
    let message = world.receive(&[]);
    world.run(&message);
    assert!(world.provider.asked.lock().unwrap().is_empty());
}

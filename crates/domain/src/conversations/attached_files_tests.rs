//! Files of messages reach the provider as links, and stay as long as the messages.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures::executor::block_on;

use serde_json::{Value, json};

use super::*;
use crate::broadcasts::{Audience, NewBroadcast};
use crate::channels::{ChannelType, Connector, Connectors, Outbound, SANDBOX, SendOutcome};
use crate::contacts::{ContactRef, NewContact};
use crate::conversations::{Message, MessageStatus, MessageType, SendMessage};
use crate::flows::{InFlight, NewFlow, StartFlow};
use crate::media::MediaUse;
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::ports::{Clock, Environment, Object};
use crate::sequences::{NewSequence, SequenceStatus, parse_steps};
use crate::testing::new_workspace;
use crate::{Tidings, TidingsSettings};

/// Accepts every message and keeps its content and its files.
struct Provider {
    is_local: bool,
    sent: Mutex<Vec<Content>>,
    files: Mutex<Vec<LinkedFile>>,
}

#[async_trait]
impl Connector for Provider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn is_local(&self) -> bool {
        self.is_local
    }

    async fn send(&self, outbound: Outbound) -> SendOutcome {
        self.sent.lock().unwrap().push(outbound.content);
        self.files.lock().unwrap().extend(outbound.context.files);
        SendOutcome::Accepted { provider_message_id: None }
    }
}

struct World {
    tidings: Tidings,
    access: Access,
    contact: ContactId,
    provider: Arc<Provider>,
    clock: Arc<FixedClock>,
}

impl World {
    fn new(public_url: &str, is_local: bool) -> Self {
        let clock = Arc::new(FixedClock::default());
        let provider = Arc::new(Provider { is_local, sent: Mutex::default(), files: Mutex::default() });
        let connectors = Connectors::one(provider.clone());
        let environment = Environment { connectors, ..Environment::plain(clock.clone()) };
        let ports = Ports::over(Arc::new(MemoryStore::new()), environment);
        let settings = TidingsSettings { public_url: public_url.to_owned(), ..TidingsSettings::default() };
        let tidings = Tidings::with(ports, settings);
        let access = new_workspace(&tidings.ports);
        let contact = block_on(tidings.contacts.create(&access, NewContact::default(), None)).unwrap().value.id;
        Self { tidings, access, contact, provider, clock }
    }

    fn upload(&self) -> Media {
        block_on(async {
            let mut upload = self.tidings.media.begin(&self.access, None).await.unwrap();
            upload.write(b"\x89PNG\r\n\x1a\n").await.unwrap();
            let file = upload.finish().await.unwrap();
            self.tidings.media.create(&self.access, ("cat.png", &file), None).await.unwrap().value
        })
    }

    fn send(&self, media: &str) -> Result<Message, Error> {
        let attachment = Attachment { url: format!("media:{media}"), name: None, mime_type: None };
        let content = Content { attachments: vec![attachment], ..Content::of(MessageType::Image) };
        let (contact, command) = (ContactRef::Id(self.contact), SendMessage::new(content));
        Ok(block_on(self.tidings.conversations.send(&self.access, &contact, command, None))?.value)
    }

    /// Runs the due jobs. Returns the message afterwards.
    fn run(&self, message: &Message) -> Message {
        block_on(self.tidings.run_due(self.clock.now())).unwrap();
        block_on(self.tidings.conversations.message(&self.access, message.id)).unwrap()
    }
}

#[test]
fn the_provider_gets_a_link_to_the_file() {
    let world = World::new("https://a.example", false);
    let media = world.upload();
    let message = world.send(&media.id.to_string()).unwrap();
    let stored = world.run(&message);
    assert_eq!((stored.status, stored.content.attachments[0].media()), (MessageStatus::Sent, Some(media.id)));
    let sent = world.provider.sent.lock().unwrap()[0].attachments[0].clone();
    assert_eq!((sent.name.as_deref(), sent.mime_type.as_deref()), (Some("cat.png"), Some("image/png")));
    let place = FilePlace { workspace: world.access.workspace(), media: media.id };
    assert_eq!(*world.provider.files.lock().unwrap(), [LinkedFile { attachment: 0, place, size: 8 }]);
    let token = sent.url.strip_prefix("https://a.example/m/").expect("an absolute link");
    let (access, opened) = block_on(world.tidings.media.open_link(token)).unwrap();
    assert_eq!((access.workspace(), opened.id), (world.access.workspace(), media.id));
    assert_eq!(opened.used_by, MediaUse::Contact(world.contact));
    assert_eq!(block_on(world.tidings.media.delete(&world.access, media.id)), Err(Error::MediaInUse));
}

#[test]
fn a_provider_cannot_load_a_file_without_a_public_url() {
    let world = World::new("", false);
    assert_eq!(world.send(&world.upload().id.to_string()).err(), Some(Error::NoPublicUrl));
    let world = World::new("", true);
    let message = world.send(&world.upload().id.to_string()).unwrap();
    assert_eq!(world.run(&message).status, MessageStatus::Sent, "a local provider needs no URL");
}

#[test]
fn rejects_an_unknown_file() {
    let world = World::new("https://a.example", false);
    let Err(Error::Invalid(wrong)) = world.send("media_01h455vb4pex5vsknk084sn02q") else { panic!("it is accepted") };
    assert_eq!((wrong[0].pointer.as_str(), wrong[0].code), ("/attachments/0/media_id", "unknown_media"));
}

#[test]
fn a_message_fails_if_its_file_was_deleted() {
    let world = World::new("https://a.example", false);
    let media = world.upload();
    let message = world.send(&media.id.to_string()).unwrap();
    let mut set = ChangeSet::new(world.access.workspace());
    set.change(Change::Delete(Object::Stored(media.id.into())));
    block_on(world.tidings.ports.ledger.commit(set)).unwrap();
    let failed = world.run(&message);
    assert_eq!(failed.status, MessageStatus::Failed);
    assert_eq!(failed.error.map(|error| error.code).as_deref(), Some("media_deleted"));
    assert!(world.provider.sent.lock().unwrap().is_empty());
}

impl World {
    /// Runs the due jobs. Returns the attachment of the only message that the provider got.
    fn delivered(&self) -> Attachment {
        assert_eq!(block_on(self.tidings.run_due(self.clock.now())).unwrap().failed, []);
        let sent = self.provider.sent.lock().unwrap();
        let [content] = &sent[..] else { panic!("{sent:?}") };
        content.attachments[0].clone()
    }

    fn use_of(&self, media: &Media) -> MediaUse {
        block_on(self.tidings.media.get(&self.access, media.id)).unwrap().used_by
    }

    /// Checks that the contact gets a link to the file, with its name and type.
    fn assert_delivers(&self, media: &Media) {
        let sent = self.delivered();
        assert_eq!((sent.name.as_deref(), sent.mime_type.as_deref()), (Some("cat.png"), Some("image/png")));
        assert!(sent.url.starts_with("https://a.example/m/"), "{}", sent.url);
        assert_eq!(self.use_of(media), MediaUse::Contact(self.contact));
        let files: Vec<MediaId> = self.provider.files.lock().unwrap().iter().map(|it| it.place.media).collect();
        assert_eq!(files, [media.id]);
    }
}

fn picture(media: &Media) -> Value {
    json!({"type": "image", "attachments": [{"media_id": media.id}]})
}

#[test]
fn a_flow_sends_a_file() {
    let world = World::new("https://a.example", false);
    let media = world.upload();
    let say = json!({"id": "say", "type": "send_message", "message": picture(&media), "next": "end"});
    let definition = json!({"start": "say", "nodes": [say, {"id": "end", "type": "end"}]});
    let new = NewFlow { name: "Lists".to_owned(), definition };
    block_on(async {
        let flows = &world.tidings.flows;
        let flow = flows.create(&world.access, new, None).await.unwrap().value.id;
        flows.publish(&world.access, flow, InFlight::Pin, &ExpectedVersion::Any, None).await.unwrap();
        flows.start(&world.access, &ContactRef::Id(world.contact), StartFlow::new(flow), None).await.unwrap();
    });
    world.assert_delivers(&media);
}

#[test]
fn a_sequence_sends_a_file() {
    let world = World::new("https://a.example", false);
    let media = world.upload();
    let action = json!({"type": "send_message", "message": picture(&media)});
    let steps = parse_steps(&json!([{"id": "a", "delay": "PT0S", "action": action}])).unwrap();
    block_on(async {
        let new = NewSequence { status: SequenceStatus::Active, ..NewSequence::new("Drip", steps) };
        let sequence = world.tidings.sequences.create(&world.access, new, None).await.unwrap().value.id;
        let contact = ContactRef::Id(world.contact);
        world.tidings.enrollments.enroll(&world.access, &contact, sequence, None).await.unwrap();
    });
    world.assert_delivers(&media);
}

#[test]
fn a_broadcast_sends_a_file() {
    for is_local in [false, true] {
        let world = World::new("https://a.example", is_local);
        let media = world.upload();
        let message = Content::parse(&picture(&media)).unwrap();
        block_on(async {
            let (broadcasts, everybody) = (&world.tidings.broadcasts, Audience::Condition(json!({"all": []}).into()));
            let new = NewBroadcast::new("News", everybody, message);
            let made = broadcasts.create(&world.access, new, None).await.unwrap().value.broadcast.id;
            broadcasts.send(&world.access, made, None, &ExpectedVersion::Any, None).await.unwrap();
        });
        world.assert_delivers(&media);
    }
}

#[test]
fn a_broadcast_to_several_contacts_shares_its_file() {
    let world = World::new("https://a.example", true);
    let media = world.upload();
    block_on(async {
        for _ in 0..2 {
            world.tidings.contacts.create(&world.access, NewContact::default(), None).await.unwrap();
        }
        let everybody = Audience::Condition(json!({"all": []}).into());
        let new = NewBroadcast::new("News", everybody, Content::parse(&picture(&media)).unwrap());
        let broadcasts = &world.tidings.broadcasts;
        let made = broadcasts.create(&world.access, new, None).await.unwrap().value.broadcast.id;
        broadcasts.send(&world.access, made, None, &ExpectedVersion::Any, None).await.unwrap();
    });
    assert_eq!(block_on(world.tidings.run_due(world.clock.now())).unwrap().failed, []);
    assert_eq!(world.provider.sent.lock().unwrap().len(), 3);
    assert_eq!(world.use_of(&media), MediaUse::Shared);
}

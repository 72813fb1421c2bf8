//! Files of flows, sequences, broadcasts and saved replies.

use super::*;
use crate::conversations::Attachment;
use crate::flows::{FlowPatch, InFlight, NewFlow};
use crate::ids::{FlowId, MediaId};
use crate::references::Referrer;
use crate::saved_replies::{NewSavedReply, SavedReplyPatch};
use crate::secrets::PutSecret;
use crate::sequences::Step;
use crate::stored::StoredId;

const UNKNOWN: &str = "media_01h455vb4pex5vsknk084sn02q";

fn picture(media: &str) -> Value {
    json!({"type": "image", "attachments": [{"media_id": media}]})
}

fn definition(media: &str) -> Value {
    json!({"start": "say", "nodes": [
        {"id": "say", "type": "send_message", "message": picture(media), "next": "end"},
        {"id": "end", "type": "end"},
    ]})
}

fn steps(media: &str) -> Vec<Step> {
    let action = json!({"type": "send_message", "message": picture(media)});
    parse_steps(&json!([{"id": "a", "delay": "P1D", "action": action}])).unwrap()
}

fn places(refused: Error) -> Vec<(String, &'static str)> {
    let Error::Invalid(wrong) = refused else { panic!("{refused:?}") };
    wrong.into_iter().map(|it| (it.pointer, it.code)).collect()
}

impl World {
    fn upload(&self) -> MediaId {
        block_on(async {
            let mut upload = self.tidings.media.begin(&self.access, None).await.unwrap();
            upload.write(b"\x89PNG\r\n\x1a\n").await.unwrap();
            let file = upload.finish().await.unwrap();
            self.tidings.media.create(&self.access, ("cat.png", &file), None).await.unwrap().value.id
        })
    }

    /// Deletes old unused files. Returns whether the file stays.
    fn survives(&self, media: MediaId) -> bool {
        let later = self.clock.now().plus(Duration::from_secs(48 * 3_600));
        block_on(self.tidings.ports.engine.expire_media(later, 9)).unwrap();
        block_on(self.tidings.media.get(&self.access, media)).is_ok()
    }

    /// Tries to delete a file. Returns the objects that refer to it.
    fn users(&self, media: MediaId) -> Vec<Referrer> {
        match block_on(self.tidings.media.delete(&self.access, media)) {
            Err(Error::MediaReferredTo(users)) => users.into_iter().map(|it| it.owner).collect(),
            other => panic!("{other:?}"),
        }
    }

    fn flow_with(&self, media: MediaId) -> FlowId {
        let new = NewFlow { name: "F".to_owned(), definition: definition(&media.to_string()) };
        block_on(self.tidings.flows.create(&self.access, new, None)).unwrap().value.id
    }

    fn rewrite(&self, flow: FlowId, definition: Value) {
        let patch = FlowPatch { definition: Some(definition), ..FlowPatch::default() };
        block_on(self.tidings.flows.update(&self.access, flow, patch, &ExpectedVersion::Any)).unwrap();
    }

    fn release(&self, flow: FlowId) -> Result<(), Error> {
        let published = self.tidings.flows.publish(&self.access, flow, InFlight::Pin, &ExpectedVersion::Any, None);
        block_on(published).map(|_| ())
    }
}

#[test]
fn a_draft_keeps_a_file_as_long_as_it_names_it() {
    let world = World::new();
    let media = world.upload();
    let flow = world.flow_with(media);
    assert!(world.survives(media));
    assert_eq!(world.users(media), [Referrer::FlowDraft(flow)]);
    world.rewrite(flow, json!({"start": "end", "nodes": [{"id": "end", "type": "end"}]}));
    assert!(!world.survives(media));
}

#[test]
fn a_flow_keeps_the_files_of_all_its_versions() {
    let world = World::new();
    let (first, second) = (world.upload(), world.upload());
    let flow = world.flow_with(first);
    world.release(flow).unwrap();
    for media in [second, world.upload()] {
        world.rewrite(flow, definition(&media.to_string()));
        world.release(flow).unwrap();
    }
    assert!(world.survives(first) && world.survives(second));
    assert_eq!(world.users(first), [Referrer::Flow(flow)]);
    let deleted = world.tidings.flows.delete(&world.access, flow, Deletion::IfUnused, &ExpectedVersion::Any);
    block_on(deleted).unwrap();
    assert!(!world.survives(first) && !world.survives(second));
}

#[test]
fn a_flow_with_an_unknown_file_is_not_published() {
    let world = World::new();
    let new = NewFlow { name: "F".to_owned(), definition: definition(UNKNOWN) };
    let flow = block_on(world.tidings.flows.create(&world.access, new, None)).unwrap().value.id;
    let refused = world.release(flow).unwrap_err();
    let Error::Invalid(wrong) = &refused else { panic!("{refused:?}") };
    assert!(wrong[0].message.contains(UNKNOWN), "{wrong:?}");
    let at = "/definition/nodes/0/message/attachments/0/media_id".to_owned();
    assert_eq!(places(refused), [(at, "unknown_media")]);
}

#[test]
fn a_new_secret_does_not_release_the_files_of_a_draft() {
    let world = World::new();
    let media = world.upload();
    let mut draft = definition(&media.to_string());
    let call = json!({"id": "call", "type": "http_request", "method": "GET", "next": "end",
                      "url": "https://a.example/{{ secrets.TOKEN }}"});
    draft["nodes"].as_array_mut().unwrap().push(call);
    let new = NewFlow { name: "F".to_owned(), definition: draft };
    let flow = block_on(world.tidings.flows.create(&world.access, new, None)).unwrap().value.id;
    let secret = PutSecret::new("TOKEN", "0123456789abcdef".to_owned().into(), vec!["a.example".to_owned()]);
    block_on(world.tidings.secrets.put(&world.access, secret, &ExpectedVersion::Any)).unwrap();
    assert!(world.survives(media));
    assert_eq!(world.users(media), [Referrer::FlowDraft(flow)]);
}

#[test]
fn a_sequence_keeps_the_files_of_its_steps() {
    let world = World::new();
    let media = world.upload();
    let new = |media: &str| NewSequence {
        name: "Drip".to_owned(),
        status: SequenceStatus::Active,
        steps: steps(media),
        exit_on: Vec::new(),
        exit_when: None,
        reenroll: Reenroll::Never,
        time_zone: SequenceZone::Workspace,
    };
    let create = |media: &str| block_on(world.tidings.sequences.create(&world.access, new(media), None));
    let at = "/steps/0/action/message/attachments/0/media_id".to_owned();
    assert_eq!(places(create(UNKNOWN).err().unwrap()), [(at, "unknown_media")]);
    let sequence = create(&media.to_string()).unwrap().value.id;
    assert!(world.survives(media));
    assert_eq!(world.users(media), [Referrer::Sequence(sequence)]);
    let other = world.upload();
    let patch = SequencePatch { steps: Some(steps(&other.to_string())), ..SequencePatch::default() };
    world.edit(sequence, patch).unwrap();
    assert!(!world.survives(media) && world.survives(other));
}

#[test]
fn a_broadcast_keeps_its_files_until_it_ends() {
    let world = World::new();
    let media = world.upload();
    let content = |media: &str| Content::parse(&picture(media)).unwrap();
    let everybody = || Audience::Condition(json!({"all": []}).into());
    let create = |media: &str| {
        let new = NewBroadcast::new("News", everybody(), content(media));
        block_on(world.tidings.broadcasts.create(&world.access, new, None))
    };
    let at = "/message/attachments/0/media_id".to_owned();
    assert_eq!(places(create(UNKNOWN).err().unwrap()), [(at, "unknown_media")]);
    let broadcast = create(&media.to_string()).unwrap().value.broadcast;
    assert_eq!(broadcast.message.attachments[0].name.as_deref(), Some("cat.png"));
    assert!(world.survives(media));
    assert_eq!(world.users(media), [Referrer::Broadcast(broadcast.id)]);

    let other = world.upload();
    let update = |media: MediaId| {
        let patch = BroadcastPatch { message: Some(content(&media.to_string())), ..BroadcastPatch::default() };
        let changed = world.tidings.broadcasts.update(&world.access, broadcast.id, patch, &ExpectedVersion::Any);
        block_on(changed).unwrap().broadcast.version
    };
    assert_eq!(update(media), 1, "the completed message is the same");
    assert_eq!(update(other), 2);
    assert!(!world.survives(media) && world.survives(other));
    block_on(world.tidings.broadcasts.send(&world.access, broadcast.id, None, &ExpectedVersion::Any, None)).unwrap();
    assert!(world.survives(other));
    world.run();
    assert!(!world.survives(other), "no contact got it");
}

#[test]
fn a_saved_reply_keeps_its_files() {
    let world = World::new();
    let replies = &world.tidings.saved_replies;
    let attached = |url: &str| vec![Attachment { url: url.to_owned(), name: None, mime_type: None }];
    let new = |url: &str| NewSavedReply { attachments: attached(url), ..NewSavedReply::new("Prices", "Here they are") };
    let create = |url: &str| block_on(replies.create(&world.access, new(url), None));
    let at = || "/attachments/0/media_id".to_owned();
    assert_eq!(places(create(&format!("media:{UNKNOWN}")).err().unwrap()), [(at(), "unknown_media")]);
    let wrong = places(create("ftp://a.example/1").err().unwrap());
    assert_eq!(wrong, [("/attachments/0/url".to_owned(), "invalid_format")]);

    let media = world.upload();
    let reply = create(&format!("media:{media}")).unwrap().value;
    let name = |it: &Attachment| (it.media(), it.name.clone());
    assert_eq!(name(&reply.attachments[0]), (Some(media), Some("cat.png".to_owned())));
    assert!(world.survives(media));
    assert_eq!(world.users(media), [Referrer::Stored(StoredId::SavedReply(reply.id))]);

    let update = |patch| block_on(replies.update(&world.access, reply.id, patch, &ExpectedVersion::Any));
    let renamed = update(SavedReplyPatch { name: Some("List".to_owned()), ..SavedReplyPatch::default() }).unwrap();
    assert_eq!(renamed.attachments, reply.attachments);
    assert!(world.survives(media));
    let other = world.upload();
    let attachments = |media: MediaId| {
        let attachments = Some(attached(&format!("media:{media}")));
        SavedReplyPatch { attachments, ..SavedReplyPatch::default() }
    };
    update(attachments(other)).unwrap();
    assert!(!world.survives(media) && world.survives(other));
    let refused = update(attachments(media)).unwrap_err();
    assert_eq!(places(refused), [(at(), "unknown_media")]);
    block_on(replies.delete(&world.access, reply.id, &ExpectedVersion::Any)).unwrap();
    assert!(!world.survives(other));
}

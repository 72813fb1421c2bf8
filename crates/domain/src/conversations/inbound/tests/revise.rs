//! Edits, deletions and reactions of contacts.

use std::time::Duration;

use super::*;
use crate::conversations::{Attachment, MessageType, Revision, RevisionKind};
use crate::ids::MediaId;
use crate::media::{MediaType, MediaUse};
use crate::time::Timestamp;

impl Bench {
    /// Applies an event about the message with this provider ID, some seconds after the start.
    fn revise(&self, event: &str, name: &str, seconds: u64, change: RevisionKind) -> Result<Outcome, Error> {
        self.revise_from("crm-7", (event, seconds), name, change)
    }

    fn revise_from(
        &self,
        address: &str,
        (event, seconds): (&str, u64),
        name: &str,
        change: RevisionKind,
    ) -> Result<Outcome, Error> {
        let revision = Revision {
            id: event.to_owned(),
            address: address.to_owned(),
            received: Some(name.to_owned()),
            sent: Some(name.to_owned()),
            at: Some(self.after(seconds)),
            change,
        };
        block_on(self.inbound.revise(&self.access, &self.channel, &revision)).map(|done| done.outcome)
    }

    fn after(&self, seconds: u64) -> Timestamp {
        Timestamp::EPOCH_2026.plus(Duration::from_secs(seconds))
    }

    /// Lets an hour pass. Then the events are in the past.
    fn wait(&self) {
        self.clock.set(self.clock.at_rest().plus(Duration::from_secs(3_600)));
    }

    fn emojis(&self, message: MessageId) -> Vec<String> {
        self.message(message).revisions.reactions.into_iter().map(|it| it.emoji).collect()
    }
}

fn edit(text: &str) -> RevisionKind {
    RevisionKind::Edit(Some(text.to_owned()))
}

fn react(emojis: &[&str]) -> RevisionKind {
    RevisionKind::React(emojis.iter().map(|it| (*it).to_owned()).collect())
}

#[test]
fn an_edit_replaces_the_text_and_starts_nothing() {
    let bench = bench();
    let message = bench.say("m1", "crm-7", "Hello").value;
    bench.wait();
    let (before, conversation) = (bench.event_kinds(), bench.conversation(&message));
    assert_eq!(bench.revise("e1", "m1", 60, edit("STOP")), Ok(Outcome::Accepted));
    assert_eq!(bench.revise("e2", "m1", 70, edit("Hello, all")), Ok(Outcome::Accepted));
    let edited = bench.message(message.id);
    assert_eq!(edited.content, Content::text("Hello, all"));
    let earlier: Vec<_> = edited.revisions.edits.iter().map(|it| (it.text.as_deref(), it.at)).collect();
    assert_eq!(earlier, [(Some("Hello"), bench.after(60)), (Some("STOP"), bench.after(70))]);
    assert_eq!((edited.revisions.edited_at, edited.version), (Some(bench.after(70)), message.version + 2));
    assert_eq!(bench.event_kinds(), before, "no event is sent");
    assert_eq!(bench.conversation(&message), conversation, "the conversation and its unread messages stay");
    assert!(bench.contact(message.contact).identities[0].opted_in, "an edit is no opt-out");
    assert_eq!(bench.claim(Pool::Work, JobKind::RouteInbound).len(), 1, "only the first text is routed");
}

#[test]
fn a_repeated_or_late_event_changes_nothing() {
    let bench = bench();
    let message = bench.say("m1", "crm-7", "Hello").value.id;
    bench.wait();
    for (event, seconds, change) in
        [("e1", 60, edit("One")), ("e2", 60, edit("Two")), ("e3", 61, react(&["\u{1f44d}"]))]
    {
        assert_eq!(bench.revise(event, "m1", seconds, change), Ok(Outcome::Accepted), "{event}");
    }
    assert_eq!(bench.revise("e4", "m1", 62, react(&[])), Ok(Outcome::Accepted));
    let before = bench.message(message);
    for (event, seconds, change) in [
        ("e1", 60, edit("One")),
        ("e3", 61, react(&["\u{1f44d}"])),
        ("e5", 59, edit("Zero")),
        ("e6", 61, react(&["\u{1f44e}"])),
        // Telegram also reports an edit if other members change.
        ("e7", 63, edit("Two")),
        ("e8", 63, react(&[])),
        ("e9", 63, RevisionKind::Edit(None)),
    ] {
        assert_eq!(bench.revise(event, "m1", seconds, change), Ok(Outcome::Unchanged), "{event}");
    }
    assert_eq!(bench.message(message), before);
}

#[test]
fn a_time_in_the_future_is_now() {
    let bench = bench();
    let message = bench.say("m1", "crm-7", "Hello").value.id;
    bench.revise("e1", "m1", 86_400, edit("Later")).unwrap();
    assert_eq!(bench.message(message).revisions.edited_at, Some(bench.clock.at_rest()));
    assert_eq!(bench.revise("e2", "m1", 0, edit("Again")), Ok(Outcome::Accepted), "it blocks no later edit");
}

#[test]
fn a_deletion_removes_the_content_and_releases_the_files() {
    let bench = bench();
    let message = bench.say("m1", "crm-7", "My cat").value;
    bench.wait();
    bench.revise("e1", "m1", 1, edit("My dog")).unwrap();
    let media = crate::media::Media {
        id: MediaId::from_uuid(uuid::Uuid::from_u128(77)),
        name: "cat.png".to_owned(),
        media_type: MediaType::Png,
        size: 9,
        sha256: "0".repeat(64),
        used_by: MediaUse::Contact(message.contact),
        created_at: message.created_at,
        updated_at: message.created_at,
        version: 1,
    };
    let mut shown = bench.message(message.id);
    shown.content.kind = MessageType::Image;
    shown.content.attachments = vec![
        Attachment { url: format!("media:{}", media.id), name: None, mime_type: None },
        Attachment { url: "provider:AgAC".to_owned(), name: None, mime_type: None },
    ];
    shown.content.original.data = Some(serde_json::json!({"contacts": [{"phone_number": "+4930"}]}));
    assert_eq!(MessageView::from(&shown).data, shown.content.original.data);
    shown.touch(bench.clock.at_rest());
    let mut set = ChangeSet::new(bench.access.workspace());
    set.change(Change::Insert(Row::Stored(media.clone().into())));
    set.change(Change::Update(Row::Message(Box::new(shown))));
    block_on(bench.ports.ledger.commit(set)).unwrap();
    let before = bench.event_kinds();

    assert_eq!(bench.revise("e2", "m1", 60, RevisionKind::Delete), Ok(Outcome::Accepted));
    let deleted = bench.message(message.id);
    assert_eq!(deleted.content, Content::of(MessageType::Image));
    assert_eq!((deleted.revisions.edits.len(), deleted.revisions.deleted_at), (0, Some(bench.after(60))));
    let file = block_on(bench.ports.media.get(&bench.access, media.id)).unwrap().unwrap();
    assert_eq!(file.used_by, MediaUse::Unused, "the file is deleted with others that no message uses");
    for (event, change) in [("e2", RevisionKind::Delete), ("e3", RevisionKind::Delete), ("e4", edit("Back"))] {
        assert_eq!(bench.revise(event, "m1", 61, change), Ok(Outcome::Unchanged), "{event}");
    }
    assert_eq!((bench.message(message.id), bench.event_kinds()), (deleted, before));
}

#[test]
fn a_contact_reacts_to_messages_in_both_directions() {
    let bench = bench();
    let sent = bench.queue();
    bench.send(accepted("p1"));
    let said = bench.say("m1", "crm-7", "Hello").value.id;
    bench.wait();
    for (message, name) in [(sent, "p1"), (said, "m1")] {
        let status = bench.message(message).status;
        bench.revise("e1", name, 60, react(&["\u{1f44d}"])).unwrap();
        assert_eq!(bench.emojis(message), ["\u{1f44d}"], "{name}");
        bench.revise("e2", name, 60, react(&["\u{2764}\u{fe0f}", ""])).unwrap();
        assert_eq!(bench.emojis(message), ["\u{2764}\u{fe0f}"], "{name}");
        bench.revise("e3", name, 61, react(&[])).unwrap();
        assert_eq!(bench.emojis(message), [] as [&str; 0], "{name}");
        assert_eq!(bench.message(message).status, status);
    }
    assert_eq!(bench.revise("e4", "p1", 62, edit("Not theirs")), Ok(Outcome::Unchanged));
    assert_eq!(bench.revise("e5", "p1", 62, RevisionKind::Delete), Ok(Outcome::Unchanged));
    assert_eq!(bench.message(sent).content, Content::text("Hi"));
}

#[test]
fn an_unknown_message_and_one_of_another_contact_are_not_found() {
    let bench = bench();
    assert_eq!(bench.revise("e1", "m1", 0, edit("Early")), Err(Error::NotFound), "the message arrives later");
    let message = bench.say("m1", "crm-7", "Hello").value;
    assert_eq!(bench.message(message.id).content, Content::text("Hello"));
    bench.say("m2", "crm-8", "Hello");
    let sender = message.contact.to_string();
    assert_eq!(bench.revise_from(&sender, ("e2", 0), "m2", edit("Stolen")), Err(Error::NotFound));
    assert_eq!(bench.revise_from(&sender, ("e2", 0), "m1", edit("Own")), Ok(Outcome::Accepted));
    let contacts = ContactService { ports: bench.ports.clone() };
    let any = crate::outcome::ExpectedVersion::Any;
    block_on(contacts.delete(&bench.access, &ContactRef::Id(message.contact), &any)).unwrap();
    assert_eq!(bench.revise("e3", "m1", 0, edit("Gone")), Err(Error::NotFound));
}

//! Saved replies have unique names, and texts that render.

use std::sync::Arc;

use futures::executor::block_on;

use super::{NewSavedReply, SavedReplyPatch, SavedReplyService};
use crate::access::Access;
use crate::error::Error;
use crate::memory::MemoryStore;
use crate::outcome::ExpectedVersion;
use crate::pagination::PageRequest;
use crate::ports::Ports;
use crate::testing::new_workspace;

fn world() -> (Access, SavedReplyService) {
    let ports = Arc::new(Ports::of(Arc::new(MemoryStore::new())));
    (new_workspace(&ports), SavedReplyService { ports })
}

fn named(name: &str, text: &str) -> NewSavedReply {
    NewSavedReply::new(name, text)
}

#[test]
fn creates_updates_and_deletes_a_reply() {
    let (access, replies) = world();
    let made = block_on(replies.create(&access, named(" Hours ", "Hi {{ contact.first_name }}"), None)).unwrap().value;
    assert_eq!((made.name.as_str(), made.version), ("Hours", 1));
    let patch = SavedReplyPatch { text: Some("Open from 9".to_owned()), ..SavedReplyPatch::default() };
    let stale = ExpectedVersion::OneOf(vec![7]);
    assert_eq!(block_on(replies.update(&access, made.id, patch.clone(), &stale)), Err(Error::PreconditionFailed));
    let changed = block_on(replies.update(&access, made.id, patch.clone(), &ExpectedVersion::Any)).unwrap();
    assert_eq!((changed.text.as_str(), changed.version), ("Open from 9", 2));
    let same = block_on(replies.update(&access, made.id, patch, &ExpectedVersion::Any)).unwrap();
    assert_eq!(same.version, 2, "nothing changed");
    assert_eq!(block_on(replies.list(&access, PageRequest::default())).unwrap().items, [changed]);
    block_on(replies.delete(&access, made.id, &ExpectedVersion::Any)).unwrap();
    assert_eq!(block_on(replies.get(&access, made.id)), Err(Error::NotFound));
    assert_eq!(block_on(replies.delete(&access, made.id, &ExpectedVersion::Any)), Err(Error::NotFound));
}

#[test]
fn rejects_taken_names_and_invalid_templates() {
    let (access, replies) = world();
    let hours = block_on(replies.create(&access, named("Hours", "Open"), None)).unwrap().value;
    let refused = block_on(replies.create(&access, named("HOURS", "Closed"), None));
    let taken = Error::Taken { what: "saved reply", field: "name", existing: Some(hours.id.to_string()) };
    assert_eq!(refused.err(), Some(taken.clone()));
    let other = block_on(replies.create(&access, named("Prices", "10"), None)).unwrap().value;
    let patch = SavedReplyPatch { name: Some("hours".to_owned()), ..SavedReplyPatch::default() };
    assert_eq!(block_on(replies.update(&access, other.id, patch, &ExpectedVersion::Any)).err(), Some(taken));
    let patch = SavedReplyPatch { text: Some("{{ contact.".to_owned()), ..SavedReplyPatch::default() };
    let refused = block_on(replies.update(&access, other.id, patch, &ExpectedVersion::Any));
    let Err(Error::Invalid(violations)) = refused else { panic!("{refused:?}") };
    assert_eq!((violations[0].pointer.as_str(), violations[0].code), ("/text", "template_error"));
}

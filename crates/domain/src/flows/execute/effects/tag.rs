//! Tags of the contact.

use super::StepWriter;
use crate::contacts::{ContactView, TagLinkView, tag_event};
use crate::events::EventKind;
use crate::ids::TagId;
use crate::ports::{Change, Guard, Object, TagChange};
use crate::stored::StoredId;

pub(super) fn link(step: &mut StepWriter<'_>, view: &ContactView, tag: &TagId) {
    let Some(link) = view_of(step, *tag) else { return };
    step.set.guard(Guard::Live(Object::Stored(StoredId::Tag(link.id))));
    let (contact, at) = (step.contact.id, link.applied_at);
    step.set.change(Change::Tag(TagChange::Link { contact, tag: link.id, at }));
    step.tell(tag_event(EventKind::ContactTagAdded, view, &link));
}

pub(super) fn unlink(step: &mut StepWriter<'_>, view: &ContactView, tag: &TagId) {
    let Some(link) = view_of(step, *tag) else { return };
    step.set.change(Change::Tag(TagChange::Unlink { contact: step.contact.id, tag: link.id }));
    step.tell(tag_event(EventKind::ContactTagRemoved, view, &link));
}

fn view_of(step: &StepWriter<'_>, tag: TagId) -> Option<TagLinkView> {
    let tag = step.context.tags.values().find(|known| known.id == tag)?;
    Some(TagLinkView { id: tag.id, name: tag.name.clone(), applied_at: step.ports.clock.now() })
}

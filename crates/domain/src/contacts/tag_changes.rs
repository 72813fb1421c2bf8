//! Changes and events of a contact that a bulk operation changes or a request deletes.

use super::service::{previous_attributes, tag_event};
use super::{AppliedTag, Contact, ContactService, ContactView, DeletedContactView, TagLinkView};
use crate::access::Access;
use crate::events::{EventDraft, EventKind};
use crate::fields::{CustomField, CustomFieldView, FieldValue};
use crate::ports::{Change, ChangeSet, ContactChange, FieldChange, FlowChange, Row, SequenceChange, TagChange};
use crate::sequences::ExitReason;
use crate::time::Timestamp;

impl ContactService {
    /// Adds tags to a contact. It must have none of them and stay within its limit of tags; the caller guards the tags.
    pub(crate) fn write_tagged(
        &self,
        access: &Access,
        mut contact: Contact,
        links: &[AppliedTag],
        now: Timestamp,
        set: &mut ChangeSet,
    ) -> Contact {
        contact.touch(now);
        contact.tags.extend(links.iter().cloned());
        set.change(Change::Update(Row::Contact(Box::new(contact.clone()))));
        for link in links {
            set.change(Change::Tag(TagChange::Link { contact: contact.id, tag: link.id, at: now }));
        }
        let view = ContactView::from(&contact);
        for link in links {
            self.tell(set, access, tag_event(EventKind::ContactTagAdded, &view, &shown(link)));
        }
        contact
    }

    /// Removes the tag at this index from a contact.
    pub(crate) fn write_untagged(
        &self,
        access: &Access,
        mut contact: Contact,
        place: usize,
        now: Timestamp,
        set: &mut ChangeSet,
    ) {
        let link = contact.tags.remove(place);
        contact.touch(now);
        set.change(Change::Update(Row::Contact(Box::new(contact.clone()))));
        set.change(Change::Tag(TagChange::Unlink { contact: contact.id, tag: link.id }));
        let view = ContactView::from(&contact);
        self.tell(set, access, tag_event(EventKind::ContactTagRemoved, &view, &shown(&link)));
    }

    /// Sets or clears the value of a custom field. The value must differ from the current one; the caller guards the
    /// field.
    pub(crate) fn write_value(
        &self,
        access: &Access,
        mut contact: Contact,
        (field, value): (&CustomField, Option<&FieldValue>),
        now: Timestamp,
        set: &mut ChangeSet,
    ) {
        let previous = match value {
            Some(value) => contact.custom_fields.insert(field.key.clone(), value.json.clone()),
            None => contact.custom_fields.remove(&field.key),
        };
        contact.touch(now);
        set.change(Change::Update(Row::Contact(Box::new(contact.clone()))));
        set.change(Change::Field(match value {
            Some(value) => FieldChange::PutValue { contact: contact.id, field: field.id, value: value.clone() },
            None => FieldChange::ClearValue { contact: contact.id, field: field.id },
        }));
        let event = EventDraft::new(EventKind::ContactFieldChanged, &ContactView::from(&contact))
            .with("field", &CustomFieldView::from(field))
            .with("value", &value.map(|value| &value.json))
            .with("previous", &previous);
        self.tell(set, access, event.about(contact.id));
    }

    /// Subscribes a contact that never opted out.
    pub(crate) fn write_subscribed(&self, access: &Access, contact: Contact, now: Timestamp, set: &mut ChangeSet) {
        let before = ContactView::from(&contact);
        let mut after = contact;
        (after.subscribed, after.never_subscribed) = (true, false);
        after.touch(now);
        set.change(Change::Update(Row::Contact(Box::new(after.clone()))));
        let view = ContactView::from(&after);
        let previous = previous_attributes(&before, &view);
        let event = EventDraft::new(EventKind::ContactUpdated, &view).with("previous", &previous);
        self.tell(set, access, event.about(after.id));
    }

    /// Soft-deletes a contact.
    pub(crate) fn write_deleted(&self, access: &Access, mut contact: Contact, now: Timestamp, set: &mut ChangeSet) {
        contact.touch(now);
        contact.deleted_at = Some(now);
        set.change(Change::Update(Row::Contact(Box::new(contact.clone()))));
        set.change(Change::Contact(ContactChange::ReleaseIdentities { contact: contact.id }));
        set.change(Change::Flow(FlowChange::InterruptRuns { contact: contact.id, at: now }));
        let reason = ExitReason::ContactDeleted;
        set.change(Change::Sequence(SequenceChange::ExitEnrollments { contact: contact.id, reason, at: now }));
        let event = EventDraft::new(EventKind::ContactDeleted, &DeletedContactView::from(&contact));
        self.tell(set, access, event.about(contact.id));
    }
}

fn shown(link: &AppliedTag) -> TagLinkView {
    TagLinkView { id: link.id, name: link.name.clone(), applied_at: link.applied_at }
}

use std::collections::BTreeSet;

use chrono_tz::Tz;

use super::model::ContactOutcome;
use super::{BulkAction, BulkField};
use crate::access::Access;
use crate::contacts::{AppliedTag, Contact, ContactService, MAX_TAGS};
use crate::error::Error;
use crate::fields::{CustomField, FieldRef, FieldValue, InvalidValue};
use crate::flows::{Reentry, StartOutcome, StartPlan, Startable, Starter};
use crate::ids::FlowId;
use crate::opt_outs::{Mark, marks};
use crate::outcome::Outcome;
use crate::ports::{ChangeSet, Guard, Object, Ports, StoreError};
use crate::retry::AttemptError;
use crate::sequences::{Person, Sequence, SequenceStatus, add_enrollment, zone_of};
use crate::stored::StoredId;
use crate::tags::Tag;
use crate::time::Timestamp;

/// The work on each contact, with the objects that it needs.
pub(super) enum Work {
    /// Adds this tag.
    Tag(Tag),
    /// Removes this tag.
    Untag(Tag),
    /// Deletes the contact.
    Delete,
    /// Sets a custom field to this value, or clears it.
    SetField(Box<CustomField>, Option<FieldValue>),
    /// Subscribes the contact, unless it opted out.
    Subscribe,
    /// Enrolls the contact in this sequence. Contacts without a time zone use this one.
    Enroll(Box<Sequence>, Tz),
    /// Starts this version of a flow.
    StartFlow(FlowId, Startable),
}

/// Why an action is impossible for every contact.
#[derive(Debug)]
pub(super) enum UnavailableAction {
    /// The tag is missing.
    Tag,
    /// The custom field is missing.
    Field,
    /// The custom field does not take the value.
    Value(InvalidValue),
    /// The sequence is missing.
    Sequence,
    /// The sequence is not active.
    SequenceNotActive,
    /// The flow is missing.
    Flow,
    /// The flow is not active.
    FlowNotActive,
}

pub(super) struct Doer<'a> {
    pub(super) contacts: &'a ContactService,
    pub(super) access: &'a Access,
    pub(super) now: Timestamp,
}

impl Work {
    pub(super) async fn load(
        ports: &Ports,
        access: &Access,
        action: &BulkAction,
    ) -> Result<Result<Self, UnavailableAction>, StoreError> {
        Ok(match action {
            BulkAction::Tag(tag) => ports.tags.get(access, *tag).await?.map(Self::Tag).ok_or(UnavailableAction::Tag),
            BulkAction::Untag(tag) => {
                ports.tags.get(access, *tag).await?.map(Self::Untag).ok_or(UnavailableAction::Tag)
            }
            BulkAction::Delete => Ok(Self::Delete),
            BulkAction::SetField(named, value) => {
                let missing = || StoreError::Corrupt("an unfinished bulk operation has no value".to_owned());
                let value = value.as_ref().ok_or_else(missing)?;
                match field(ports, access, named).await? {
                    Some(field) => match field.check(value) {
                        Ok(value) => Ok(Self::SetField(Box::new(field), Some(value))),
                        Err(wrong) => Err(UnavailableAction::Value(wrong)),
                    },
                    None => Err(UnavailableAction::Field),
                }
            }
            BulkAction::ClearField(named) => match field(ports, access, named).await? {
                Some(field) => Ok(Self::SetField(Box::new(field), None)),
                None => Err(UnavailableAction::Field),
            },
            BulkAction::Subscribe => Ok(Self::Subscribe),
            BulkAction::Enroll(sequence) => match ports.sequences.get(access, *sequence).await? {
                Some(it) if it.status == SequenceStatus::Active => {
                    Ok(Self::Enroll(Box::new(it), zone_of(&*ports.access, access).await?))
                }
                Some(_) => Err(UnavailableAction::SequenceNotActive),
                None => Err(UnavailableAction::Sequence),
            },
            BulkAction::StartFlow(id) => match ports.flows.get(access, *id).await? {
                Some(flow) => Startable::of(&flow)
                    .map(|version| Self::StartFlow(*id, version))
                    .ok_or(UnavailableAction::FlowNotActive),
                None => Err(UnavailableAction::Flow),
            },
        })
    }

    /// Returns the maximum number of contacts per commit. Some work reads more for each contact.
    pub(super) fn most(&self) -> usize {
        match self {
            Self::Tag(_) | Self::Untag(_) | Self::Delete | Self::SetField(..) => usize::MAX,
            Self::Subscribe | Self::Enroll(..) | Self::StartFlow(..) => 100,
        }
    }

    pub(super) fn guard(&self) -> Option<Guard> {
        match self {
            Self::Tag(tag) | Self::Untag(tag) => Some(Guard::Live(Object::Stored(StoredId::Tag(tag.id)))),
            Self::SetField(field, _) => Some(field.field_guard()),
            Self::Delete | Self::Subscribe | Self::Enroll(..) | Self::StartFlow(..) => None,
        }
    }

    /// Returns the opt-outs to look up for a contact, if the work depends on them.
    pub(super) fn marks_to_check(&self, contact: &Contact) -> BTreeSet<Mark> {
        match self {
            Self::Subscribe if may_ask(contact) => marks(contact),
            Self::Subscribe
            | Self::Tag(_)
            | Self::Untag(_)
            | Self::Delete
            | Self::SetField(..)
            | Self::Enroll(..)
            | Self::StartFlow(..) => BTreeSet::new(),
        }
    }

    /// Adds the changes of a contact to a set. `refused` contains the stored opt-outs, if any were looked up.
    pub(super) async fn apply(
        &self,
        by: &Doer<'_>,
        contact: Contact,
        refused: Option<&BTreeSet<Mark>>,
        set: &mut ChangeSet,
    ) -> Result<ContactOutcome, AttemptError> {
        let (contacts, access, now) = (by.contacts, by.access, by.now);
        Ok(match self {
            Self::Tag(tag) if contact.has_tag(tag.id) => ContactOutcome::Unchanged,
            Self::Tag(_) if contact.tags.len() as i64 >= MAX_TAGS => ContactOutcome::Failed,
            Self::Tag(tag) => {
                let link = AppliedTag { id: tag.id, name: tag.name.clone(), applied_at: now };
                contacts.write_tagged(access, contact, &[link], now, set);
                ContactOutcome::Changed
            }
            Self::Untag(tag) => match contact.tags.iter().position(|link| link.id == tag.id) {
                Some(place) => {
                    contacts.write_untagged(access, contact, place, now, set);
                    ContactOutcome::Changed
                }
                None => ContactOutcome::Unchanged,
            },
            Self::Delete => {
                contacts.write_deleted(access, contact, now, set);
                ContactOutcome::Changed
            }
            Self::SetField(field, value) => {
                if contact.custom_fields.get(&field.key) == value.as_ref().map(|value| &value.json) {
                    return Ok(ContactOutcome::Unchanged);
                }
                contacts.write_value(access, contact, (field, value.as_ref()), now, set);
                ContactOutcome::Changed
            }
            Self::Subscribe => subscribe(by, contact, refused, set),
            Self::Enroll(sequence, zone) => enroll(by, (sequence, *zone), &contact, set).await?,
            Self::StartFlow(flow, version) => start(by, (*flow, *version), &contact, set).await?,
        })
    }
}

async fn field(ports: &Ports, access: &Access, named: &BulkField) -> Result<Option<CustomField>, StoreError> {
    ports.fields.get(access, &FieldRef::Id(named.id)).await
}

/// Whether a contact opted out neither of all messages nor of a channel.
fn may_ask(contact: &Contact) -> bool {
    contact.never_subscribed && contact.identities.iter().all(|identity| identity.opted_in)
}

fn subscribe(by: &Doer<'_>, contact: Contact, refused: Option<&BTreeSet<Mark>>, set: &mut ChangeSet) -> ContactOutcome {
    if contact.subscribed && contact.identities.iter().all(|identity| identity.opted_in) {
        return ContactOutcome::Unchanged;
    }
    if !may_ask(&contact) || refused.is_some_and(|refused| !marks(&contact).is_disjoint(refused)) {
        return ContactOutcome::StillOptedOut;
    }
    by.contacts.write_subscribed(by.access, contact, by.now, set);
    ContactOutcome::Changed
}

async fn enroll(
    by: &Doer<'_>,
    (sequence, workspace_zone): (&Sequence, Tz),
    contact: &Contact,
    set: &mut ChangeSet,
) -> Result<ContactOutcome, AttemptError> {
    let ports = &by.contacts.ports;
    let last = ports.sequences.last_enrollment(by.access, sequence.id, contact.id).await?;
    let person = Person { contact, workspace_zone, exit_when_holds: false };
    let added = add_enrollment(set, sequence, &person, last.as_ref(), by.access, &*ports.clock, &*ports.ids);
    match added {
        Ok(done) if done.outcome == Outcome::Created => Ok(ContactOutcome::Changed),
        Ok(_) | Err(Error::ReenrollmentForbidden(_)) => Ok(ContactOutcome::Skipped),
        Err(error) => Err(error.into()),
    }
}

async fn start(
    by: &Doer<'_>,
    (flow, version): (FlowId, Startable),
    contact: &Contact,
    set: &mut ChangeSet,
) -> Result<ContactOutcome, AttemptError> {
    let starter = Starter { ports: by.contacts.ports.clone() };
    let plan = StartPlan {
        flow,
        version: Some(version),
        contact: contact.id,
        vars: serde_json::Map::new(),
        channel: None,
        cause: None,
        caller: None,
        event: None,
    };
    Ok(match starter.add(by.access, &plan, Some(Reentry::Skip), set).await? {
        StartOutcome::Began(_) => ContactOutcome::Changed,
        StartOutcome::Lives(_) => ContactOutcome::Skipped,
        StartOutcome::TooOften { .. } | StartOutcome::TooDeep | StartOutcome::NotActive => ContactOutcome::Failed,
    })
}

use std::collections::BTreeSet;

use chrono_tz::Tz;

use super::model::Became;
use super::{BulkAction, BulkField};
use crate::access::Access;
use crate::contacts::{AppliedTag, Contact, ContactService, MAX_TAGS};
use crate::error::Error;
use crate::fields::{CustomField, FieldRef, FieldValue, InvalidValue};
use crate::flows::{Reentry, StartPlan, Startable, Started, Starter};
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
pub(super) enum Unready {
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
    ) -> Result<Result<Self, Unready>, StoreError> {
        Ok(match action {
            BulkAction::Tag(tag) => ports.tags.get(access, *tag).await?.map(Self::Tag).ok_or(Unready::Tag),
            BulkAction::Untag(tag) => ports.tags.get(access, *tag).await?.map(Self::Untag).ok_or(Unready::Tag),
            BulkAction::Delete => Ok(Self::Delete),
            BulkAction::SetField(named, value) => {
                let missing = || StoreError::Corrupt("an unfinished bulk operation has no value".to_owned());
                let value = value.as_ref().ok_or_else(missing)?;
                match field(ports, access, named).await? {
                    Some(field) => match field.check(value) {
                        Ok(value) => Ok(Self::SetField(Box::new(field), Some(value))),
                        Err(wrong) => Err(Unready::Value(wrong)),
                    },
                    None => Err(Unready::Field),
                }
            }
            BulkAction::ClearField(named) => match field(ports, access, named).await? {
                Some(field) => Ok(Self::SetField(Box::new(field), None)),
                None => Err(Unready::Field),
            },
            BulkAction::Subscribe => Ok(Self::Subscribe),
            BulkAction::Enroll(sequence) => match ports.sequences.get(access, *sequence).await? {
                Some(it) if it.status == SequenceStatus::Active => {
                    Ok(Self::Enroll(Box::new(it), zone_of(&*ports.access, access).await?))
                }
                Some(_) => Err(Unready::SequenceNotActive),
                None => Err(Unready::Sequence),
            },
            BulkAction::StartFlow(id) => match ports.flows.get(access, *id).await? {
                Some(flow) => {
                    Startable::of(&flow).map(|version| Self::StartFlow(*id, version)).ok_or(Unready::FlowNotActive)
                }
                None => Err(Unready::Flow),
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
            Self::SetField(field, _) => Some(field.held()),
            Self::Delete | Self::Subscribe | Self::Enroll(..) | Self::StartFlow(..) => None,
        }
    }

    /// Returns the opt-outs to look up for a contact, if the work depends on them.
    pub(super) fn asked(&self, contact: &Contact) -> BTreeSet<Mark> {
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
    ) -> Result<Became, AttemptError> {
        let (contacts, access, now) = (by.contacts, by.access, by.now);
        Ok(match self {
            Self::Tag(tag) if contact.has_tag(tag.id) => Became::Unchanged,
            Self::Tag(_) if contact.tags.len() as i64 >= MAX_TAGS => Became::Failed,
            Self::Tag(tag) => {
                let link = AppliedTag { id: tag.id, name: tag.name.clone(), applied_at: now };
                contacts.write_tagged(access, contact, &[link], now, set);
                Became::Changed
            }
            Self::Untag(tag) => match contact.tags.iter().position(|link| link.id == tag.id) {
                Some(place) => {
                    contacts.write_untagged(access, contact, place, now, set);
                    Became::Changed
                }
                None => Became::Unchanged,
            },
            Self::Delete => {
                contacts.write_deleted(access, contact, now, set);
                Became::Changed
            }
            Self::SetField(field, value) => {
                if contact.custom_fields.get(&field.key) == value.as_ref().map(|value| &value.json) {
                    return Ok(Became::Unchanged);
                }
                contacts.write_value(access, contact, (field, value.as_ref()), now, set);
                Became::Changed
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

fn subscribe(by: &Doer<'_>, contact: Contact, refused: Option<&BTreeSet<Mark>>, set: &mut ChangeSet) -> Became {
    if contact.subscribed && contact.identities.iter().all(|identity| identity.opted_in) {
        return Became::Unchanged;
    }
    if !may_ask(&contact) || refused.is_some_and(|refused| !marks(&contact).is_disjoint(refused)) {
        return Became::StillOptedOut;
    }
    by.contacts.write_subscribed(by.access, contact, by.now, set);
    Became::Changed
}

async fn enroll(
    by: &Doer<'_>,
    (sequence, workspace_zone): (&Sequence, Tz),
    contact: &Contact,
    set: &mut ChangeSet,
) -> Result<Became, AttemptError> {
    let ports = &by.contacts.ports;
    let last = ports.sequences.last_enrollment(by.access, sequence.id, contact.id).await?;
    let person = Person { contact, workspace_zone, exit_when_holds: false };
    let added = add_enrollment(set, sequence, &person, last.as_ref(), by.access, &*ports.clock, &*ports.ids);
    match added {
        Ok(done) if done.outcome == Outcome::Created => Ok(Became::Changed),
        Ok(_) | Err(Error::ReenrollmentForbidden(_)) => Ok(Became::Skipped),
        Err(error) => Err(error.into()),
    }
}

async fn start(
    by: &Doer<'_>,
    (flow, version): (FlowId, Startable),
    contact: &Contact,
    set: &mut ChangeSet,
) -> Result<Became, AttemptError> {
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
        Started::Began(_) => Became::Changed,
        Started::Lives(_) => Became::Skipped,
        Started::TooOften { .. } | Started::TooDeep | Started::NotActive => Became::Failed,
    })
}

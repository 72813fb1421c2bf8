//! Converts the content of a set to steps. Each change has one match arm here or in the file of its subject. The arm
//! decides whether the change is written with others of its kind.

mod contacts;
mod flows;
mod people;
mod work;

use std::time::Duration;

use tidings_domain::ports::{Change, ChangeSet, ReferenceChange, Row};
use tidings_domain::webhooks::Delivery;

use super::objects::{Objects, Updates};
use super::rows::Rows;
use super::step::{Write, writing};
use crate::access::sandboxes;
use crate::flows::references;
use crate::queries::types::DbId;
use crate::write::deletes;

/// Returns the steps of a set, in the order of [`ChangeSet`].
pub(super) fn of_set(set: &ChangeSet) -> impl Iterator<Item = Write<'_>> {
    let ws = DbId::from(set.workspace);
    let changes = set.changes.iter().filter(|it| !it.follows_events());
    let events = set.events.iter().map(move |it| Rows::Event(vec![(ws, it)]));
    let followers = set.changes.iter().filter(|it| it.follows_events());
    // An attempt at a delivery is stored in the row of the delivery.
    let jobs = set.jobs.iter().filter(|it| it.job.delivery(it.id).is_none()).map(move |it| Rows::Job(vec![(ws, it)]));
    let answers = set.idempotency.iter().map(move |it| Rows::Answer(vec![(ws, it)]));
    let changes = changes.map(|change| of(set, change)).chain(events.map(Write::Grouped));
    changes.chain(followers.map(|change| of(set, change))).chain(jobs.chain(answers).map(Write::Grouped))
}

/// Returns the step of one change of a set.
pub(super) fn of<'s>(set: &'s ChangeSet, change: &'s Change) -> Write<'s> {
    let ws = DbId::from(set.workspace);
    match change {
        Change::Insert(Row::Delivery(it)) => Write::Grouped(Rows::Delivery(vec![(ws, it, lease_of(set, it))])),
        Change::Insert(row) => Write::Grouped(Rows::Insert(Objects::of(ws, row))),
        Change::Update(row) => Write::Grouped(Rows::Update(Updates::of(ws, row))),
        Change::Delete(object) => Write::unbatched(move |c| writing(deletes::delete(c, ws, *object))),
        Change::Access(it) => people::access(ws, it),
        Change::Account(it) => people::account(it),
        Change::Channel(it) => contacts::channel(ws, it),
        Change::Contact(it) => contacts::contact(ws, it),
        Change::Tag(it) => contacts::tag(ws, it),
        Change::Field(it) => contacts::field(ws, it),
        Change::Reference(it) => match it {
            ReferenceChange::Put { owner, targets } => {
                Write::unbatched(move |c| writing(references::put(c, ws, *owner, targets)))
            }
            ReferenceChange::Lose { target, name, at } => {
                Write::unbatched(move |c| writing(references::lose(c, ws, *target, name, *at)))
            }
        },
        Change::Conversation(it) => contacts::conversation(ws, it),
        Change::Erasure(it) => people::erasure(ws, it),
        Change::Merge(it) => people::merge(ws, it),
        Change::OptOut(it) => people::opt_out(ws, it),
        Change::Flow(it) => flows::flow(ws, it),
        Change::Sequence(it) => flows::sequence(ws, it),
        Change::Broadcast(it) => flows::broadcast(ws, it),
        Change::Import(it) => work::import(ws, it),
        Change::Webhook(it) => work::webhook(ws, it),
        Change::Analytics(it) => work::analytics(ws, it),
        Change::Job(it) => work::job(ws, it),
        Change::Sandbox(it) => Write::unbatched(move |c| writing(sandboxes::change(c, ws, it))),
        Change::Audit(it) => Write::Grouped(Rows::Audit(vec![(ws, it)])),
    }
}

/// Returns the lease of the first attempt at a new delivery, if the process that writes the delivery runs it.
fn lease_of(set: &ChangeSet, delivery: &Delivery) -> Option<Duration> {
    set.jobs.iter().filter(|it| it.lease.is_some()).find(|it| it.job.delivery(it.id) == Some(delivery.id))?.lease
}

//! By what somebody is known again who opted out. Pure.

use std::collections::BTreeSet;

use crate::contacts::{Contact, Identity};
use crate::ids::ChannelId;
use crate::text::fold;

/// What somebody refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refused {
    /// To be written to at all.
    Everything,
    /// Messages on a channel.
    On(ChannelId),
}

/// A name under which somebody is known again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkName {
    /// An external id, as it is.
    ExternalId(String),
    /// An e-mail address, folded.
    Email(String),
    /// A telephone number.
    Phone(String),
    /// An address on a channel, folded.
    Address(ChannelId, String),
}

/// A name, and what is refused under it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// What is refused.
    pub refused: Refused,
    /// Under which name.
    pub name: MarkName,
}

impl Mark {
    /// The channel with which it goes, if it is of one.
    pub fn channel(&self) -> Option<ChannelId> {
        match (&self.refused, &self.name) {
            (Refused::On(channel), _) | (Refused::Everything, MarkName::Address(channel, _)) => Some(*channel),
            (Refused::Everything, _) => None,
        }
    }

    /// The text of which a digest is kept; no two marks have the same.
    pub fn text(&self) -> String {
        let refused = match self.refused {
            Refused::Everything => "everything".to_owned(),
            Refused::On(channel) => channel.to_string(),
        };
        match &self.name {
            MarkName::ExternalId(name) => format!("{refused} external_id {name}"),
            MarkName::Email(name) => format!("{refused} email {name}"),
            MarkName::Phone(name) => format!("{refused} phone {name}"),
            MarkName::Address(channel, address) => format!("{refused} {channel} {address}"),
        }
    }
}

/// The names of a contact beside its addresses.
fn names(of: &Contact) -> Vec<MarkName> {
    let external_id = of.external_id.as_ref().map(|it| MarkName::ExternalId(it.as_str().to_owned()));
    let email = of.email.as_ref().map(|it| MarkName::Email(fold(it.as_str())));
    let phone = of.phone.as_ref().map(|it| MarkName::Phone(it.as_str().to_owned()));
    [external_id, email, phone].into_iter().flatten().collect()
}

/// Whether the address is the contact's id, as on a sandbox: nobody comes back by it.
fn is_own(of: &Contact, identity: &Identity) -> bool {
    identity.address == of.id.to_string()
}

/// By what a contact is known again on a channel: the address there, or the names where that is its id.
fn names_on(of: &Contact, identity: &Identity) -> Vec<MarkName> {
    match is_own(of, identity) {
        true => names(of),
        false => vec![MarkName::Address(identity.channel, fold(&identity.address))],
    }
}

fn on(of: &Contact, identity: &Identity) -> impl Iterator<Item = Mark> {
    let refused = Refused::On(identity.channel);
    names_on(of, identity).into_iter().map(move |name| Mark { refused, name })
}

fn everything(of: &Contact) -> impl Iterator<Item = Mark> {
    let addresses = of.identities.iter().filter(|it| !is_own(of, it)).flat_map(|it| names_on(of, it));
    let names = names(of).into_iter().chain(addresses).collect::<Vec<_>>();
    names.into_iter().map(|name| Mark { refused: Refused::Everything, name })
}

/// All marks under which the contact may have refused something before.
pub(crate) fn marks(of: &Contact) -> BTreeSet<Mark> {
    everything(of).chain(of.identities.iter().flat_map(|it| on(of, it))).collect()
}

/// Those that a contact gets by a change.
pub(crate) fn new_marks(before: &Contact, after: &Contact) -> BTreeSet<Mark> {
    let had = marks(before);
    marks(after).into_iter().filter(|mark| !had.contains(mark)).collect()
}

/// What the contact refuses.
pub(crate) fn refused(by: &Contact) -> BTreeSet<Mark> {
    let all = everything(by).filter(|_| !by.subscribed);
    all.chain(by.identities.iter().filter(|it| !it.opted_in).flat_map(|it| on(by, it))).collect()
}

/// What it refused and does not any more, under names that it still has.
pub(crate) fn lifted(before: &Contact, after: &Contact) -> BTreeSet<Mark> {
    let (refuses, has) = (refused(after), marks(after));
    refused(before).into_iter().filter(|mark| has.contains(mark) && !refuses.contains(mark)).collect()
}

/// What was refused at addresses that it has no more.
pub(crate) fn freed(before: &Contact, after: &Contact) -> BTreeSet<Mark> {
    let has =
        |it: &Identity| after.identities.iter().any(|kept| kept.channel == it.channel && kept.address == it.address);
    let gone = before.identities.iter().filter(|it| !it.opted_in && !is_own(before, it) && !has(it));
    gone.flat_map(|it| on(before, it)).collect()
}

/// The contact takes nothing of what was refused under its names.
pub(crate) fn silence(contact: &mut Contact, found: &BTreeSet<Mark>) {
    if found.is_empty() {
        return;
    }
    if everything(contact).any(|mark| found.contains(&mark)) {
        contact.subscribed = false;
    }
    let refuses = |it: &Identity| on(contact, it).any(|mark| found.contains(&mark));
    let refusing: Vec<bool> = contact.identities.iter().map(refuses).collect();
    for (identity, refuses) in contact.identities.iter_mut().zip(refusing) {
        identity.opted_in = identity.opted_in && !refuses;
    }
}

//! By what somebody is known again who opted out. Pure.
//!
//! Digests of names are stored, and cannot be computed again when a form changes: look-ups ask for all forms, for good.

use std::collections::BTreeSet;

use crate::contacts::{Contact, Email, Identity, without_mobile_one};
use crate::ids::ChannelId;
use crate::text::characters::plain;
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
    /// The key of an email address.
    Email(String),
    /// A telephone number.
    Phone(String),
    /// An address on a channel, by its key.
    Address(ChannelId, String),
}

/// A name, and what is refused under it. Marks are the same whatever the spelling of the name.
#[derive(Debug, Clone)]
pub struct Mark {
    /// What is refused.
    pub refused: Refused,
    /// Under which name.
    pub name: MarkName,
    /// The same name in earlier forms: digests of them are stored, and cannot be computed again.
    earlier: Vec<MarkName>,
}

impl Mark {
    fn new(refused: Refused, (name, earlier): (MarkName, Vec<MarkName>)) -> Self {
        Self { refused, name, earlier }
    }

    fn same(&self) -> (&Refused, &MarkName) {
        (&self.refused, &self.name)
    }

    /// The channel with which it goes, if it is of one.
    pub fn channel(&self) -> Option<ChannelId> {
        match (&self.refused, &self.name) {
            (Refused::On(channel), _) | (Refused::Everything, MarkName::Address(channel, _)) => Some(*channel),
            (Refused::Everything, _) => None,
        }
    }

    /// The text of which a digest is stored; no two marks have the same.
    pub fn text(&self) -> String {
        text(&self.refused, &self.name)
    }

    /// The texts of which a digest may be stored: the present form first, then earlier ones.
    pub fn texts(&self) -> Vec<String> {
        let mut texts = vec![self.text()];
        for name in &self.earlier {
            let text = text(&self.refused, name);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }
}

impl PartialEq for Mark {
    fn eq(&self, other: &Self) -> bool {
        self.same() == other.same()
    }
}

impl Eq for Mark {}

impl PartialOrd for Mark {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Mark {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.same().cmp(&other.same())
    }
}

fn text(refused: &Refused, name: &MarkName) -> String {
    let refused = match refused {
        Refused::Everything => "everything".to_owned(),
        Refused::On(channel) => channel.to_string(),
    };
    match name {
        MarkName::ExternalId(name) => format!("{refused} external_id {name}"),
        MarkName::Email(name) => format!("{refused} email {name}"),
        MarkName::Phone(name) => format!("{refused} phone {name}"),
        MarkName::Address(channel, address) => format!("{refused} {channel} {address}"),
    }
}

/// A name in its present form, and in earlier ones.
type Forms = (MarkName, Vec<MarkName>);

/// The names of a contact beside its addresses.
fn names(of: &Contact) -> Vec<Forms> {
    let external_id = of.external_id.as_ref().map(|it| (MarkName::ExternalId(it.as_str().to_owned()), Vec::new()));
    let email = of.email.as_ref().map(|it| {
        let earlier = earlier_forms(it).into_iter().map(MarkName::Email).collect();
        (MarkName::Email(it.canonical()), earlier)
    });
    let phone = of.phone.as_ref().map(|it| (MarkName::Phone(it.as_str().to_owned()), Vec::new()));
    [external_id, email, phone].into_iter().flatten().collect()
}

/// An email address as digests were made of it before: by `fold`, with the domain as it was written, and with the
/// typographic apostrophe.
fn earlier_forms(email: &Email) -> Vec<String> {
    let canonical = email.canonical();
    let forms = email.earlier_keys().into_iter().chain([canonical, email.as_str().to_owned()]);
    forms.flat_map(|form| [fold(&form.replace('\'', "\u{2019}")), fold(&form)]).collect()
}

/// An address on a channel: that of an email by its key, others folded.
fn address(channel: ChannelId, written: &str) -> Forms {
    let own = |text: String| MarkName::Address(channel, text);
    let mut earlier = vec![own(fold(written))];
    let key = match written.parse::<Email>() {
        Ok(email) => {
            earlier.extend(earlier_forms(&email).into_iter().map(own));
            email.canonical()
        }
        Err(_) => fold(&plain(&without_mobile_one(written))),
    };
    (own(key), earlier)
}

/// Whether the address is the contact's id, as on a sandbox: nobody comes back by it.
fn is_own(of: &Contact, identity: &Identity) -> bool {
    identity.address == of.id.to_string()
}

/// By what a contact is known again on a channel: the address there, or the names where that is its id.
fn names_on(of: &Contact, identity: &Identity) -> Vec<Forms> {
    match is_own(of, identity) {
        true => names(of),
        false => vec![address(identity.channel, &identity.address)],
    }
}

fn on(of: &Contact, identity: &Identity) -> impl Iterator<Item = Mark> {
    let refused = Refused::On(identity.channel);
    names_on(of, identity).into_iter().map(move |forms| Mark::new(refused, forms))
}

fn everything(of: &Contact) -> impl Iterator<Item = Mark> {
    let addresses = of.identities.iter().filter(|it| !is_own(of, it)).flat_map(|it| names_on(of, it));
    let names = names(of).into_iter().chain(addresses).collect::<Vec<_>>();
    names.into_iter().map(|forms| Mark::new(Refused::Everything, forms))
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

/// What was refused under names and at addresses that a contact loses by a change: everything and single channels.
pub(crate) fn freed(before: &Contact, after: &Contact) -> BTreeSet<Mark> {
    let has = marks(after);
    refused(before).into_iter().filter(|mark| !has.contains(mark)).collect()
}

/// The contact takes nothing of what was refused under its names.
pub(crate) fn silence(contact: &mut Contact, found: &BTreeSet<Mark>) {
    if found.is_empty() {
        return;
    }
    if everything(contact).any(|mark| found.contains(&mark)) {
        contact.subscribed = false;
        contact.never_subscribed = false;
    }
    let refuses = |it: &Identity| on(contact, it).any(|mark| found.contains(&mark));
    let refusing: Vec<bool> = contact.identities.iter().map(refuses).collect();
    for (identity, refuses) in contact.identities.iter_mut().zip(refusing) {
        identity.opted_in = identity.opted_in && !refuses;
    }
}

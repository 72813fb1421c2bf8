//! Identifiers for remembered opt-outs. Pure.
//!
//! Digests of identifiers are stored, and cannot be computed again after their form changes. Look-ups therefore ask for
//! all forms, forever.

use std::collections::BTreeSet;

use crate::contacts::{Contact, Email, Identity, number_spellings, without_mobile_one};
use crate::ids::ChannelId;
use crate::text::characters::plain;
use crate::text::fold;

/// The scope of an opt-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptOutScope {
    /// All messages.
    Everything,
    /// Messages on one channel.
    On(ChannelId),
}

/// An identifier of a contact.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkName {
    /// An external ID, unchanged.
    ExternalId(String),
    /// The key of an email address.
    Email(String),
    /// A phone number.
    Phone(String),
    /// An address on a channel: its key.
    Address(ChannelId, String),
}

/// An identifier with the scope of an opt-out. Marks are equal if they differ only in the spelling of the identifier.
#[derive(Debug, Clone)]
pub struct Mark {
    /// The scope.
    pub refused: OptOutScope,
    /// The identifier.
    pub name: MarkName,
    /// The same identifier in earlier forms. Digests of them are stored, and cannot be computed again.
    earlier: Vec<MarkName>,
}

impl Mark {
    fn new(refused: OptOutScope, (name, earlier): (MarkName, Vec<MarkName>)) -> Self {
        Self { refused, name, earlier }
    }

    fn same(&self) -> (&OptOutScope, &MarkName) {
        (&self.refused, &self.name)
    }

    /// Returns the channel, if the opt-out is deleted together with one.
    pub fn channel(&self) -> Option<ChannelId> {
        match (&self.refused, &self.name) {
            (OptOutScope::On(channel), _) | (OptOutScope::Everything, MarkName::Address(channel, _)) => Some(*channel),
            (OptOutScope::Everything, _) => None,
        }
    }

    /// Returns the text to digest. Each mark has a different text.
    pub fn text(&self) -> String {
        text(&self.refused, &self.name)
    }

    /// Returns all texts with a possibly stored digest: the current form first, then earlier ones.
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

fn text(refused: &OptOutScope, name: &MarkName) -> String {
    let refused = match refused {
        OptOutScope::Everything => "everything".to_owned(),
        OptOutScope::On(channel) => channel.to_string(),
    };
    match name {
        MarkName::ExternalId(name) => format!("{refused} external_id {name}"),
        MarkName::Email(name) => format!("{refused} email {name}"),
        MarkName::Phone(name) => format!("{refused} phone {name}"),
        MarkName::Address(channel, address) => format!("{refused} {channel} {address}"),
    }
}

/// An identifier in its current form, and in earlier ones.
type Forms = (MarkName, Vec<MarkName>);

/// Returns the identifiers of a contact, except addresses.
fn names(of: &Contact) -> Vec<Forms> {
    let external_id = of.external_id.as_ref().map(|it| (MarkName::ExternalId(it.as_str().to_owned()), Vec::new()));
    let email = of.email.as_ref().map(|it| {
        let earlier = earlier_forms(it).into_iter().map(MarkName::Email).collect();
        (MarkName::Email(it.canonical()), earlier)
    });
    let phone = of.phone.as_ref().map(|it| (MarkName::Phone(it.as_str().to_owned()), Vec::new()));
    [external_id, email, phone].into_iter().flatten().collect()
}

/// Returns the forms of an email address that earlier releases digested: by `fold`, with the domain as written, and
/// with the typographic apostrophe.
fn earlier_forms(email: &Email) -> Vec<String> {
    let canonical = email.canonical();
    let forms = email.earlier_keys().into_iter().chain([canonical, email.as_str().to_owned()]);
    forms.flat_map(|form| [fold(&form.replace('\'', "\u{2019}")), fold(&form)]).collect()
}

/// Returns the digits of an international number without the signs between them. Other texts are returned unchanged.
fn without_separators(text: String) -> String {
    let is_separator = |c: char| matches!(c, ' ' | '.' | '-' | '(' | ')' | '/');
    let is_number =
        text.strip_prefix('+').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || is_separator(c)));
    if is_number { text.replace(is_separator, "") } else { text }
}

/// Returns the key of an address on a channel. An email address has its canonical form, others are folded. All spellings
/// of a number are looked up: providers and address books differ in them.
fn address(channel: ChannelId, written: &str) -> Forms {
    let own = |text: String| MarkName::Address(channel, text);
    let mut earlier = vec![own(fold(written))];
    let key = match written.parse::<Email>() {
        Ok(email) => {
            earlier.extend(earlier_forms(&email).into_iter().map(own));
            email.canonical()
        }
        Err(_) => {
            let folded = fold(&plain(&without_mobile_one(written)));
            let key = without_mobile_one(&without_separators(folded.clone()));
            earlier.extend(number_spellings(&key).into_iter().chain([folded]).map(own));
            key
        }
    };
    (own(key), earlier)
}

/// Whether the address is the contact's ID, as on a sandbox. A deleted contact cannot return with it.
fn is_own(of: &Contact, identity: &Identity) -> bool {
    identity.address == of.id.to_string()
}

/// Returns the identifiers for opt-outs on a channel: the address, or the contact's other identifiers if the address is
/// its ID.
fn names_on(of: &Contact, identity: &Identity) -> Vec<Forms> {
    match is_own(of, identity) {
        true => names(of),
        false => vec![address(identity.channel, &identity.address)],
    }
}

fn on(of: &Contact, identity: &Identity) -> impl Iterator<Item = Mark> {
    let refused = OptOutScope::On(identity.channel);
    names_on(of, identity).into_iter().map(move |forms| Mark::new(refused, forms))
}

fn everything(of: &Contact) -> impl Iterator<Item = Mark> {
    let addresses = of.identities.iter().filter(|it| !is_own(of, it)).flat_map(|it| names_on(of, it));
    let names = names(of).into_iter().chain(addresses).collect::<Vec<_>>();
    names.into_iter().map(|forms| Mark::new(OptOutScope::Everything, forms))
}

/// Returns all marks that an earlier opt-out of the contact can have.
pub(crate) fn marks(of: &Contact) -> BTreeSet<Mark> {
    everything(of).chain(of.identities.iter().flat_map(|it| on(of, it))).collect()
}

/// Returns the marks that a change adds to a contact.
pub(crate) fn new_marks(before: &Contact, after: &Contact) -> BTreeSet<Mark> {
    let had = marks(before);
    marks(after).into_iter().filter(|mark| !had.contains(mark)).collect()
}

/// Returns the current opt-outs of the contact.
pub(crate) fn refused(by: &Contact) -> BTreeSet<Mark> {
    let all = everything(by).filter(|_| !by.subscribed);
    all.chain(by.identities.iter().filter(|it| !it.opted_in).flat_map(|it| on(by, it))).collect()
}

/// Returns the opt-outs that a change ends, for identifiers that the contact still has.
pub(crate) fn lifted(before: &Contact, after: &Contact) -> BTreeSet<Mark> {
    let (refuses, has) = (refused(after), marks(after));
    refused(before).into_iter().filter(|mark| has.contains(mark) && !refuses.contains(mark)).collect()
}

/// Returns the opt-outs for identifiers that the contact loses by a change.
pub(crate) fn freed(before: &Contact, after: &Contact) -> BTreeSet<Mark> {
    let has = marks(after);
    refused(before).into_iter().filter(|mark| !has.contains(mark)).collect()
}

/// Opts the contact out according to remembered opt-outs of its identifiers.
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
        if refuses {
            identity.opt_out_by(None);
        }
    }
    contact.share_opt_outs();
}

/// Keeps the opt-outs of a contact in a change that must not end them. Those of addresses that it still has keep their
/// sources.
pub(crate) fn keep_refused(before: &Contact, after: &mut Contact) {
    silence(after, &refused(before));
    keep_sources(before, after);
}

/// Keeps the opt-outs of the addresses that a contact still has, with their sources.
pub(crate) fn keep_sources(before: &Contact, after: &mut Contact) {
    for identity in &mut after.identities {
        let same = |was: &&Identity| was.channel == identity.channel && was.address == identity.address;
        if let Some(was) = before.identities.iter().find(same).filter(|was| !was.opted_in) {
            (identity.opted_in, identity.opt_out) = (false, was.opt_out);
        }
    }
}

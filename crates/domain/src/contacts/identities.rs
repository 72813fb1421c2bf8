//! Validation of a contact's addresses against the existing channels.

use super::{Contact, Email, Identity, IdentityOptOut, NewIdentity, OptOutSource};
use crate::channels::{Channel, ChannelKind, Connectors};
use crate::error::{Error, Violation};
use crate::ids::ChannelId;
use crate::time::Timestamp;

/// Returns the addresses of the contact. On a channel that uses contact IDs as addresses, the contact keeps its own
/// address even if the request does not list it. Aliases stay with their address. An alias that the request lists
/// becomes an address.
///
/// # Errors
/// [`Error::Invalid`] with all unknown channels, duplicates, and sandbox addresses that are not the contact's ID.
pub(super) fn resolve(
    contact: &Contact,
    named: &[NewIdentity],
    channels: &[Channel],
    connectors: &Connectors,
    now: Timestamp,
) -> Result<Vec<Identity>, Error> {
    let own = contact.id.to_string();
    let mut violations = Vec::new();
    let mut identities: Vec<Identity> = Vec::new();
    for (index, NewIdentity { channel, address, opted_in }) in named.iter().enumerate() {
        let pointer = format!("/identities/{index}");
        let mut wrong = |member: &str, code, message: &str| {
            violations.push(Violation::new(format!("{pointer}{member}"), code, message));
        };
        let known = channels.iter().find(|known| known.id == *channel);
        let listed =
            |address: &str| contact.identities.iter().find(|it| it.channel == *channel && it.address == address);
        let stored = match known {
            Some(known) if listed(address).is_none() => stored_form(connectors, known.kind, address),
            Some(_) | None => address.clone(),
        };
        let (address, before) = (&stored, listed(&stored));
        let added_at = before.map_or(now, |it| it.added_at);
        let undeliverable_since = before.and_then(|it| it.undeliverable_since);
        let identity = Identity::new(*channel, address.clone(), added_at);
        let mut identity = Identity { undeliverable_since, ..identity };
        match (*opted_in, before) {
            (Some(false), known) => {
                if let Some(known) = known.filter(|it| !it.opted_in) {
                    identity.copy_consent(known);
                }
                identity.opt_out_by(Some(IdentityOptOut { source: OptOutSource::Api, at: now }));
            }
            (None, Some(known)) => identity.copy_consent(known),
            (Some(true), _) | (None, None) => {}
        }
        match known.map(|channel| channel.kind) {
            // An address on a deleted channel may stay.
            None if before.is_some() => identities.push(identity),
            None => wrong("/channel_id", "unknown_channel", "no channel in this workspace has this ID"),
            Some(kind) if connectors.addresses_by_contact_id(kind) && *address != own => {
                wrong("/address", "not_allowed", "on a sandbox channel, the address must be the ID of the contact");
            }
            Some(_) if identities.iter().any(|it| it.channel == *channel && it.address == *address) => {
                wrong("", "duplicate", "this address is listed twice");
            }
            Some(_) => identities.push(identity),
        }
    }
    let stays = |it: &&Identity| it.address == own && identities.iter().all(|named| named.channel != it.channel);
    let stay: Vec<Identity> = contact.identities.iter().filter(stays).cloned().collect();
    identities.extend(stay);
    let aliases = kept_aliases(contact, &identities);
    identities.extend(aliases);
    if violations.is_empty() { Ok(sorted(identities)) } else { Err(Error::Invalid(violations)) }
}

/// Returns the stored form of an address: on a channel for mails, an email address in lower case.
fn stored_form(connectors: &Connectors, kind: ChannelKind, written: &str) -> String {
    let is_email = connectors.addresses_are_emails(kind) && written.parse::<Email>().is_ok();
    // As for senders of mails, only ASCII letters change. Otherwise the Kelvin sign would become a `k`.
    if is_email { written.to_ascii_lowercase() } else { written.to_owned() }
}

/// Returns the aliases of addresses that stay, with the opt-in of the address.
fn kept_aliases(contact: &Contact, stay: &[Identity]) -> Vec<Identity> {
    let find_listed =
        |it: &Identity| stay.iter().find(|other| other.channel == it.channel && other.address == it.address);
    let kept = |alias: &Identity| {
        let owner = find_listed(contact.oldest_identity(alias.channel)?)?;
        if find_listed(alias).is_some() {
            return None;
        }
        let mut alias = alias.clone();
        alias.copy_consent(owner);
        Some(alias)
    };
    contact.identities.iter().filter(|it| it.is_alias).filter_map(kept).collect()
}

/// Sorts addresses by channel and address.
pub(super) fn sorted(mut identities: Vec<Identity>) -> Vec<Identity> {
    identities.sort_by(|a, b| (a.channel, &a.address).cmp(&(b.channel, &b.address)));
    identities
}

/// The opt-outs of an update: of all channels (`None`) or of single channels.
pub(crate) fn opt_outs(before: &Contact, after: &Contact) -> Vec<Option<ChannelId>> {
    let everything = (before.subscribed && !after.subscribed).then_some(None);
    let refused = |it: &&Identity| {
        let was = before.identities.iter().find(|was| was.channel == it.channel && was.address == it.address);
        !it.opted_in && was.is_some_and(|was| was.opted_in)
    };
    let mut channels: Vec<_> = after.identities.iter().filter(refused).map(|it| Some(it.channel)).collect();
    channels.dedup();
    everything.into_iter().chain(channels).collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::TypedId;
    use crate::testing::{a_channel, a_contact};

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn new(channel: ChannelId, address: &str) -> NewIdentity {
        NewIdentity { channel, address: address.to_owned(), opted_in: Some(false) }
    }

    #[test]
    fn keeps_the_sandbox_address_and_accepts_its_opt_out() {
        let (sandbox, contact) = (a_channel(), a_contact().on(&a_channel()).build());
        let resolved = resolve(&contact, &[], std::slice::from_ref(&sandbox), &Connectors::default(), NOW);
        assert_eq!(resolved, Ok(contact.identities.clone()));
        let own = new(sandbox.id, &contact.id.to_string());
        let resolved = resolve(&contact, &[own], std::slice::from_ref(&sandbox), &Connectors::default(), NOW).unwrap();
        let opt_out = Some(IdentityOptOut { source: OptOutSource::Api, at: NOW });
        assert_eq!(resolved, [Identity { opted_in: false, opt_out, ..contact.identities[0].clone() }]);
        let after = Contact { identities: resolved, ..contact.clone() };
        assert_eq!(opt_outs(&contact, &after), [Some(sandbox.id)]);
        assert_eq!(opt_outs(&after, &contact), []);
        assert_eq!(opt_outs(&contact, &Contact { subscribed: false, ..after }), [None, Some(sandbox.id)]);
    }

    #[test]
    fn reports_each_invalid_identity_at_its_pointer() {
        let (sandbox, contact) = (a_channel(), a_contact().build());
        let unknown = ChannelId::from_uuid(Uuid::from_u128(1));
        let own = contact.id.to_string();
        let named = [new(sandbox.id, "+49301234567"), new(unknown, "a"), new(sandbox.id, &own), new(sandbox.id, &own)];
        let Err(Error::Invalid(violations)) = resolve(&contact, &named, &[sandbox], &Connectors::default(), NOW) else {
            panic!("the identities must be rejected")
        };
        let told: Vec<_> = violations.iter().map(|it| (it.pointer.as_str(), it.code)).collect();
        let expected = [
            ("/identities/0/address", "not_allowed"),
            ("/identities/1/channel_id", "unknown_channel"),
            ("/identities/3", "duplicate"),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_listed_opt_out_keeps_its_source() {
        let channel = Channel { kind: ChannelKind::Http, ..a_channel() };
        let opt_out = Some(IdentityOptOut { source: OptOutSource::Keyword, at: NOW });
        let address = Identity::new(channel.id, "one".to_owned(), NOW);
        let address = Identity { opted_in: false, opt_out, ..address };
        let contact = Contact { identities: vec![address.clone()], ..a_contact().build() };
        let channels = std::slice::from_ref(&channel);
        let resolve = |named: NewIdentity| resolve(&contact, &[named], channels, &Connectors::default(), NOW).unwrap();
        assert_eq!(resolve(new(channel.id, "one")), [address]);
        let unsaid = |address: &str| NewIdentity { opted_in: None, ..new(channel.id, address) };
        assert_eq!(resolve(unsaid("one")), contact.identities, "a request without `opted_in` does not lift an opt-out");
        assert!(resolve(unsaid("two"))[0].opted_in);
        let opted_in = resolve(NewIdentity { opted_in: Some(true), ..new(channel.id, "one") });
        assert_eq!((opted_in[0].opted_in, opted_in[0].opt_out), (true, None));
    }

    /// An unblock at the provider ends only an opt-out by the provider.
    #[test]
    fn a_listed_opt_out_replaces_one_by_the_provider() {
        let channel = Channel { kind: ChannelKind::Http, ..a_channel() };
        let later = NOW.plus(std::time::Duration::from_secs(1));
        let address = |source, at| {
            let opt_out = Some(IdentityOptOut { source, at });
            Identity { opted_in: false, opt_out, ..Identity::new(channel.id, "one".to_owned(), NOW) }
        };
        let contact = Contact { identities: vec![address(OptOutSource::Provider, NOW)], ..a_contact().build() };
        let (named, channels) = ([new(channel.id, "one")], std::slice::from_ref(&channel));
        let resolved = resolve(&contact, &named, channels, &Connectors::default(), later).unwrap();
        assert_eq!(resolved, [address(OptOutSource::Api, later)]);
    }

    #[test]
    fn a_listed_address_stays_undeliverable() {
        let channel = Channel { kind: ChannelKind::Http, ..a_channel() };
        let address = Identity { undeliverable_since: Some(NOW), ..Identity::new(channel.id, "one".to_owned(), NOW) };
        let contact = Contact { identities: vec![address], ..a_contact().build() };
        let marks = |named: &[NewIdentity]| {
            let channels = std::slice::from_ref(&channel);
            let resolved = resolve(&contact, named, channels, &Connectors::default(), NOW).unwrap();
            resolved.into_iter().map(|it| it.undeliverable_since).collect::<Vec<_>>()
        };
        assert_eq!(marks(&[new(channel.id, "one")]), [Some(NOW)]);
        assert_eq!(marks(&[new(channel.id, "two")]), [None], "another address has no mark");
    }

    #[test]
    fn aliases_stay_with_their_address() {
        let channel = Channel { kind: ChannelKind::Http, ..a_channel() };
        let later = NOW.plus(std::time::Duration::from_secs(1));
        let address = |text: &str, added_at| Identity::new(channel.id, text.to_owned(), added_at);
        let alias = Identity { is_alias: true, ..address("alias", NOW) };
        let contact = Contact { identities: vec![alias.clone(), address("one", NOW)], ..a_contact().build() };
        let resolve = |named: &[NewIdentity]| {
            let channels = std::slice::from_ref(&channel);
            super::resolve(&contact, named, channels, &Connectors::default(), later).unwrap()
        };
        let opt_out = Some(IdentityOptOut { source: OptOutSource::Api, at: later });
        let out = |it: &Identity| Identity { opted_in: false, opt_out, ..it.clone() };
        let (one, two) = (new(channel.id, "one"), new(channel.id, "two"));
        assert_eq!(resolve(std::slice::from_ref(&one)), [out(&alias), out(&address("one", NOW))]);
        let both = [out(&alias), out(&address("one", NOW)), out(&address("two", later))];
        assert_eq!(resolve(&[two.clone(), one.clone()]), both);
        assert_eq!(resolve(&[two]), [out(&address("two", later))], "an alias leaves with its address");
        let listed = [out(&address("alias", NOW)), out(&address("one", NOW))];
        assert_eq!(resolve(&[one, new(channel.id, "alias")]), listed, "a listed alias becomes an address");
    }
}

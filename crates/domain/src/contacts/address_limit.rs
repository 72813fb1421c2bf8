//! The number of addresses that a contact can get on a channel without a member's request.

use super::{Contact, ContactStatus};
use crate::ids::ChannelId;

/// Maximum number of a contact's addresses on a channel, with aliases. Messages, address changes at the provider and
/// merges add no more, so a person who often changes the address cannot enlarge a contact without limit.
pub(crate) const MAX_ADDRESSES: usize = 40;

impl Contact {
    /// Returns the addresses in `named` that the contact has on the channel or can still get. Removes its oldest
    /// aliases to make room, except addresses in `named` or `used`.
    ///
    /// A contact that opted out or is blocked loses no alias. Otherwise a message from the alias would create a contact
    /// that accepts messages.
    pub(crate) fn make_room(&mut self, channel: ChannelId, named: Vec<String>, used: &[String]) -> Vec<String> {
        let wanted = named.iter().filter(|address| !self.has_address(channel, address)).count();
        while self.count_addresses(channel) + wanted > MAX_ADDRESSES {
            let is_needed = |address: &String| named.contains(address) || used.contains(address);
            let Some(oldest) = self.oldest_unused_alias(channel, is_needed) else { break };
            self.identities.retain(|it| it.channel != channel || it.address != oldest);
        }
        let mut room = MAX_ADDRESSES.saturating_sub(self.count_addresses(channel));
        let mut fitting = Vec::new();
        for address in named {
            let is_known = self.has_address(channel, &address);
            if is_known || room > 0 {
                room -= usize::from(!is_known);
                fitting.push(address);
            }
        }
        fitting
    }

    fn has_address(&self, channel: ChannelId, address: &str) -> bool {
        self.identities.iter().any(|it| it.channel == channel && it.address == address)
    }

    fn count_addresses(&self, channel: ChannelId) -> usize {
        self.identities.iter().filter(|it| it.channel == channel).count()
    }

    /// Returns the oldest alias that can be removed.
    fn oldest_unused_alias(&self, channel: ChannelId, is_needed: impl Fn(&String) -> bool) -> Option<String> {
        if !self.subscribed || self.status == ContactStatus::Blocked {
            return None;
        }
        let aliases = self.identities.iter().filter(|it| it.channel == channel && it.is_alias && it.opted_in);
        let oldest = aliases.filter(|it| !is_needed(&it.address)).min_by(|one, other| one.rank().cmp(&other.rank()));
        oldest.map(|it| it.address.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::Identity;
    use crate::ids::TypedId;
    use crate::testing::{a_channel, a_contact};
    use crate::time::Timestamp;

    /// A contact with an address and 39 aliases, the oldest one last.
    fn full() -> Contact {
        let (channel, mut contact) = (a_channel().id, a_contact().build());
        let at = |seconds: i64| Timestamp::from_millis(1_800_000_000_000 + seconds * 1_000);
        contact.identities.push(Identity::new(channel, "own".to_owned(), at(0)));
        for age in 1..40 {
            let alias = Identity::new(channel, format!("alias-{age}"), at(100 - age));
            contact.identities.push(Identity { is_alias: true, ..alias });
        }
        contact
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    fn has(contact: &Contact, address: &str) -> bool {
        contact.identities.iter().any(|it| it.address == address)
    }

    #[test]
    fn the_oldest_aliases_make_room() {
        let (channel, mut contact) = (a_channel().id, full());
        assert_eq!(contact.make_room(channel, texts(&["alias-1"]), &[]), ["alias-1"]);
        assert_eq!(contact.identities.len(), MAX_ADDRESSES, "a known address needs no room");
        let fitting = contact.make_room(channel, texts(&["new", "alias-39", "newer"]), &texts(&["alias-38"]));
        assert_eq!(fitting, ["new", "alias-39", "newer"]);
        assert_eq!(contact.identities.len(), MAX_ADDRESSES - 2);
        let stays = ["own", "alias-39", "alias-38", "alias-37", "alias-36", "alias-35"].map(|it| has(&contact, it));
        assert_eq!(stays, [true, true, true, false, false, true]);
    }

    #[test]
    fn addresses_of_other_channels_do_not_count() {
        let mut contact = full();
        let other = ChannelId::from_uuid(uuid::Uuid::from_u128(9));
        assert_eq!(contact.make_room(other, texts(&["new"]), &[]), ["new"]);
        assert_eq!(contact.identities.len(), MAX_ADDRESSES);
    }

    #[test]
    fn a_contact_that_may_get_no_messages_keeps_all_aliases() {
        let opted_out = |it: &mut Contact| it.identities.iter_mut().for_each(|identity| identity.opted_in = false);
        let silences: [fn(&mut Contact); 3] =
            [|it| it.subscribed = false, |it| it.status = ContactStatus::Blocked, opted_out];
        for silence in silences {
            let mut contact = full();
            silence(&mut contact);
            assert_eq!(contact.make_room(a_channel().id, texts(&["new", "own"]), &[]), ["own"]);
            assert_eq!(contact.identities.len(), MAX_ADDRESSES);
        }
    }

    #[test]
    fn addresses_that_are_not_aliases_stay() {
        let mut contact = full();
        contact.identities.iter_mut().for_each(|identity| identity.is_alias = false);
        assert_eq!(contact.make_room(a_channel().id, texts(&["new"]), &[]), texts(&[]));
        assert_eq!(contact.identities.len(), MAX_ADDRESSES);
    }
}

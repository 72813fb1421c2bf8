//! An address of a contact on a channel, with the consent to messages.

use serde::Serialize;

use crate::ids::ChannelId;
use crate::time::Timestamp;
use crate::words::words;

words! {
    /// The source of an opt-out from a channel.
    OptOutSource {
        /// A message of the contact.
        Keyword = "keyword",
        /// The link in a message.
        Link = "link",
        /// The provider: the contact blocked the sender or opted out there.
        Provider = "provider",
        /// A complaint of the contact about a message.
        Complaint = "complaint",
        /// The API or a member.
        Api = "api",
    }
}

/// The source and the time of an opt-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct IdentityOptOut {
    /// The source.
    pub source: OptOutSource,
    /// When it was opted out.
    pub at: Timestamp,
}

/// An address of a contact on a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The channel.
    pub channel: ChannelId,
    /// The contact's address there.
    pub address: String,
    /// Whether the contact accepts messages at this address.
    pub opted_in: bool,
    /// How it was opted out. `None` if it is opted in, or if that is not known.
    pub opt_out: Option<IdentityOptOut>,
    /// Whether it is a further name of the contact's oldest address on the channel: the provider named it, or a merge
    /// kept it. An alias is opted in if that address is.
    pub is_alias: bool,
    /// When the contact got the address.
    pub added_at: Timestamp,
    /// Since when the provider cannot deliver messages to it. `None` if it works, or if no message was sent.
    pub undeliverable_since: Option<Timestamp>,
}

impl Identity {
    /// Creates an address that accepts messages.
    pub fn new(channel: ChannelId, address: String, added_at: Timestamp) -> Self {
        Self { channel, address, opted_in: true, opt_out: None, is_alias: false, added_at, undeliverable_since: None }
    }

    /// Orders the addresses of a contact on a channel: aliases last, then by age.
    pub(super) fn rank(&self) -> (bool, Timestamp, &str) {
        (self.is_alias, self.added_at, self.address.as_str())
    }

    /// Opts the address in.
    pub(crate) fn opt_in(&mut self) {
        (self.opted_in, self.opt_out) = (true, None);
    }

    /// Opts the address out, for a known reason or an unknown one. An earlier opt-out stays. Only one by the provider is
    /// replaced by an opt-out from another source, because an unblock ends it.
    pub(crate) fn opt_out_by(&mut self, opt_out: Option<IdentityOptOut>) {
        let is_by_provider = |it: Option<IdentityOptOut>| it.is_some_and(|it| it.source == OptOutSource::Provider);
        if self.opted_in || (is_by_provider(self.opt_out) && !is_by_provider(opt_out)) {
            (self.opted_in, self.opt_out) = (false, opt_out);
        }
    }

    /// Copies the consent to another address of the contact.
    pub(crate) fn copy_consent(&mut self, of: &Self) {
        if of.opted_in {
            self.opt_in();
        } else {
            self.opt_out_by(of.opt_out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::a_channel;

    #[test]
    fn the_first_opt_out_is_kept_until_the_opt_in() {
        let new = || Identity::new(a_channel().id, "ada".to_owned(), Timestamp::EPOCH_2026);
        let opt_out = |source| Some(IdentityOptOut { source, at: Timestamp::EPOCH_2026 });
        let (mut one, mut other) = (new(), new());
        one.opt_out_by(opt_out(OptOutSource::Link));
        one.opt_out_by(opt_out(OptOutSource::Keyword));
        assert_eq!((one.opted_in, one.opt_out), (false, opt_out(OptOutSource::Link)));
        other.copy_consent(&one);
        assert_eq!(other, one);
        one.opt_in();
        other.copy_consent(&one);
        assert_eq!((one, other), (new(), new()));
    }

    #[test]
    fn an_opt_out_from_another_source_replaces_that_of_the_provider() {
        let opt_out = |source, seconds| {
            Some(IdentityOptOut { source, at: Timestamp::EPOCH_2026.plus(std::time::Duration::from_secs(seconds)) })
        };
        for (later, expected) in [
            (opt_out(OptOutSource::Provider, 9), opt_out(OptOutSource::Provider, 0)),
            (opt_out(OptOutSource::Keyword, 9), opt_out(OptOutSource::Keyword, 9)),
            (None, None),
        ] {
            let mut identity = Identity::new(a_channel().id, "ada".to_owned(), Timestamp::EPOCH_2026);
            identity.opt_out_by(opt_out(OptOutSource::Provider, 0));
            identity.opt_out_by(later);
            assert_eq!((identity.opted_in, identity.opt_out), (false, expected));
        }
    }
}

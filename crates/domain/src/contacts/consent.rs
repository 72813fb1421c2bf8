//! The consent of a contact to messages at an address.

use serde::Serialize;

use super::Identity;
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

impl Identity {
    /// Opts the address in.
    pub(crate) fn opt_in(&mut self) {
        (self.opted_in, self.opt_out) = (true, None);
    }

    /// Opts the address out, for a known reason or an unknown one. An earlier opt-out stays.
    pub(crate) fn opt_out_by(&mut self, opt_out: Option<IdentityOptOut>) {
        if self.opted_in {
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
}

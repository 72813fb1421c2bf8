//! Filters of contacts.

use super::{Contact, ContactStatus, Email, ExternalId, Phone, UnreachedRecipients};
use crate::conditions::Selection;
use crate::ids::{ChannelId, FieldId, TagId};
use crate::time::Timestamp;

/// A required value of a custom field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldMatch {
    /// The field.
    pub field: FieldId,
    /// The pattern for the match key of the stored value; see [`crate::fields::CustomField::match_pattern`].
    pub pattern: MatchPattern,
}

/// A pattern for the match key of a stored value. Keys sort in the order of their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchPattern {
    /// The whole key is equal.
    Equal(String),
    /// The key of a list of options contains this element, including separators.
    Element(String),
    /// The key is less than this one, or equal to it if `or_equal`.
    Below {
        /// The bound.
        key: String,
        /// Whether the bound itself matches.
        or_equal: bool,
    },
    /// The key is greater than this one, or equal to it if `or_equal`.
    Above {
        /// The bound.
        key: String,
        /// Whether the bound itself matches.
        or_equal: bool,
    },
    /// Any value.
    Any,
    /// The pattern does not match. Contacts without a value are included.
    Not(Box<Self>),
}

impl MatchPattern {
    /// Whether it matches the match key of a value, or a missing value.
    pub fn holds(&self, found: Option<&str>) -> bool {
        match (self, found) {
            (Self::Not(pattern), found) => !pattern.holds(found),
            (_, None) => false,
            (Self::Any, Some(_)) => true,
            (Self::Equal(key), Some(found)) => found == key.as_str(),
            (Self::Element(element), Some(found)) => found.contains(element.as_str()),
            (Self::Below { key, or_equal }, Some(found)) => {
                found < key.as_str() || (*or_equal && found == key.as_str())
            }
            (Self::Above { key, or_equal }, Some(found)) => {
                found > key.as_str() || (*or_equal && found == key.as_str())
            }
        }
    }
}

/// Whether a list contains deleted contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Deleted {
    /// Only contacts that are not deleted.
    #[default]
    Exclude,
    /// All contacts.
    Include,
    /// Only deleted contacts.
    Only,
}

impl Deleted {
    /// The words of the API.
    pub const WORDS: [&str; 3] = ["exclude", "include", "only"];

    /// The variant with this word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "exclude" => Some(Self::Exclude),
            "include" => Some(Self::Include),
            "only" => Some(Self::Only),
            _ => None,
        }
    }
}

/// A filter of contacts. All parts must match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContactFilter {
    /// Words in the form of [`search_fold`](crate::text::search_fold). Each must occur in
    /// [`super::Contact::search_text`].
    pub words: Vec<String>,
    /// The email address.
    pub email: Option<Email>,
    /// The phone number.
    pub phone: Option<Phone>,
    /// The external ID.
    pub external_id: Option<ExternalId>,
    /// The status.
    pub status: Option<ContactStatus>,
    /// Whether the contact accepts messages.
    pub subscribed: Option<bool>,
    /// A channel on which the contact has an address.
    pub channel: Option<ChannelId>,
    /// With `channel`: whether the contact accepts messages there. One opted-in address is enough, because messages go
    /// to it.
    pub opted_in: Option<bool>,
    /// Tags; the contact has all of them.
    pub tags: Vec<TagId>,
    /// Values; the contact has all of them.
    pub fields: Vec<FieldMatch>,
    /// A condition.
    pub selection: Option<Selection>,
    /// Recipients whom an earlier broadcast did not reach.
    pub unreached: Option<UnreachedRecipients>,
    /// Created at or after.
    pub created_after: Option<Timestamp>,
    /// Created before.
    pub created_before: Option<Timestamp>,
    /// Updated at or after.
    pub updated_after: Option<Timestamp>,
    /// Updated before.
    pub updated_before: Option<Timestamp>,
    /// Whether deleted contacts are included.
    pub deleted: Deleted,
}

impl ContactFilter {
    /// Whether the contact's own attributes match. Tags, values and conditions are checked elsewhere.
    pub fn admits(&self, contact: &Contact) -> bool {
        let searched = if self.words.is_empty() { String::new() } else { contact.search_text() };
        let shown = match self.deleted {
            Deleted::Exclude => contact.deleted_at.is_none(),
            Deleted::Include => true,
            Deleted::Only => contact.deleted_at.is_some(),
        };
        shown
            && self.words.iter().all(|word| searched.contains(word.as_str()))
            && self.email.as_ref().is_none_or(|email| contact.email.as_ref().is_some_and(|it| it.is(email)))
            && self.phone.as_ref().is_none_or(|phone| contact.phone.as_ref() == Some(phone))
            && self.external_id.as_ref().is_none_or(|id| contact.external_id.as_ref() == Some(id))
            && self.status.is_none_or(|status| contact.status == status)
            && self.subscribed.is_none_or(|subscribed| contact.subscribed == subscribed)
            && self.channel.is_none_or(|channel| {
                let mut on_channel = contact.identities.iter().filter(|it| it.channel == channel).peekable();
                on_channel.peek().is_some()
                    && self.opted_in.is_none_or(|opted_in| on_channel.any(|it| it.opted_in) == opted_in)
            })
            && self.created_after.is_none_or(|after| contact.created_at >= after)
            && self.created_before.is_none_or(|before| contact.created_at < before)
            && self.updated_after.is_none_or(|after| contact.updated_at >= after)
            && self.updated_before.is_none_or(|before| contact.updated_at < before)
    }
}

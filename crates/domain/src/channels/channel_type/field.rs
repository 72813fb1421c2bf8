//! Members of a channel's configuration.

use std::ops::RangeInclusive;

/// A member of `config` or `secrets` of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfigField {
    /// Name of the member.
    pub name: &'static str,
    /// Label in the panel.
    pub title: &'static str,
    /// Description for API users and the panel's form.
    pub description: &'static str,
    /// Accepted values.
    pub shape: Shape,
    /// Whether a new channel needs it.
    pub required: bool,
    /// Whether the value cannot change after the channel was created.
    pub fixed: bool,
    /// Whether only members with write access see it.
    pub private: bool,
    /// Whether it proves that the provider sent a request. Such a secret stays valid for some time after it was
    /// replaced.
    pub verifies: bool,
    /// A valid value, as JSON text.
    pub example: Option<&'static str>,
}

/// Accepted values of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Text with this number of characters.
    Text {
        /// Minimum number of characters.
        least: usize,
        /// Maximum number of characters.
        most: usize,
    },
    /// URL that the server calls, with at most this number of characters. It must pass the address check.
    Url {
        /// Maximum number of characters.
        most: usize,
    },
    /// An integer.
    Integer {
        /// Minimum.
        least: i64,
        /// Maximum.
        most: i64,
    },
    /// `true` or `false`.
    Boolean,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Name or IP address of a host that the server connects to, with at most this number of characters. Secrets must
    /// be sent again if it changes, as for a URL.
    Host {
        /// Maximum number of characters.
        most: usize,
    },
    /// Text with this number of characters that the server generates as `whsec_…` for a new channel without it. Only
    /// for secrets: the response that creates the channel shows it once.
    GeneratedText {
        /// Minimum number of characters.
        least: usize,
        /// Maximum number of characters.
        most: usize,
    },
    /// An object with these members. An update merges it member by member, except for a secret: it is stored as JSON
    /// text, and replaced as a whole. No member is a URL, because only URLs that are members of `config` itself pass the
    /// address check.
    Object(&'static [ConfigField]),
}

impl Shape {
    /// Returns the allowed number of characters of a text or URL.
    pub fn characters(self) -> Option<RangeInclusive<usize>> {
        match self {
            Self::Text { least, most } | Self::GeneratedText { least, most } => Some(least..=most),
            Self::Url { most } | Self::Host { most } => Some(1..=most),
            Self::Integer { .. } | Self::Boolean | Self::Choice(_) | Self::Object(_) => None,
        }
    }

    /// Whether the server connects to the address that the value contains.
    pub fn is_address(self) -> bool {
        match self {
            Self::Url { .. } | Self::Host { .. } => true,
            Self::Text { .. }
            | Self::Integer { .. }
            | Self::Boolean
            | Self::Choice(_)
            | Self::GeneratedText { .. }
            | Self::Object(_) => false,
        }
    }

    /// Returns the members of an object; none for other shapes.
    pub fn members(self) -> &'static [ConfigField] {
        match self {
            Self::Object(members) => members,
            Self::Text { .. }
            | Self::Url { .. }
            | Self::Integer { .. }
            | Self::Boolean
            | Self::Choice(_)
            | Self::Host { .. }
            | Self::GeneratedText { .. } => &[],
        }
    }
}

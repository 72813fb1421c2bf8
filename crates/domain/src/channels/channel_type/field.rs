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
}

impl Shape {
    /// Returns the allowed number of characters of a text or URL.
    pub fn characters(self) -> Option<RangeInclusive<usize>> {
        match self {
            Self::Text { least, most } => Some(least..=most),
            Self::Url { most } => Some(1..=most),
            Self::Integer { .. } | Self::Boolean | Self::Choice(_) => None,
        }
    }
}

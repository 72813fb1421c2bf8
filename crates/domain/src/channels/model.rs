//! What a channel is.

use crate::ids::ChannelId;
use crate::time::Timestamp;

/// Which provider a channel speaks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChannelKind {
    /// Keeps every message in the house: for first steps and for tests.
    Sandbox,
}

impl ChannelKind {
    /// The word in the API and the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
        }
    }

    /// The kind with this word.
    pub fn parse(word: &str) -> Option<Self> {
        (word == "sandbox").then_some(Self::Sandbox)
    }
}

/// A way to reach contacts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Its id.
    pub id: ChannelId,
    /// Which provider it speaks to.
    pub kind: ChannelKind,
    /// What people call it.
    pub name: String,
    /// Whether messages go here where nothing else is said.
    pub is_default: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}
